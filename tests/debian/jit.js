// SPDX-License-Identifier: GPL-3.0-or-later
// Work for the compilers of a JavaScript machine: one line of results for each subject, the same on every machine. Loops are
// long enough to be compiled while they run, and some functions meet other types after that, so that what was
// compiled is thrown away and made again. Functions of Math that need not be exact to the last bit are rounded. Lines are
// short and plain enough for a line-mode console.
'use strict';

let seed = 1;
// 0 .. 2^32-1: a linear congruential generator.
function random() {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed;
}
function hash(sum, value) { return (Math.imul(sum ^ value, 16777619) ^ (sum >>> 15)) >>> 0; }
function hashText(text) {
    let sum = 2166136261;
    for (let i = 0; i < text.length; i++) sum = hash(sum, text.charCodeAt(i));
    return sum;
}
function report(subject, ...words) { console.log(`${subject}: ${words.join(' ')}`); }

function integers() {
    let sum = 0, product = 1;
    for (let i = 1; i <= 3000000; i++) {
        sum = (sum + i * 7) | 0;
        product = Math.imul(product, i | 1) ^ (sum >>> 3);
        if (i % 5 === 0) sum ^= i << 7;
        sum = (sum + ((i * 65537) % 1000003)) | 0;
    }
    let quotients = 0;
    for (let i = 1; i < 200000; i++) quotients = (quotients + ((-123456789 / i) | 0) + (-123456789 % i) + (i >> 2)) | 0;
    report('integers', sum, product, quotients, Math.clz32(product), (-7 % 3), 1 / (-4 % 2), (-2147483648 / -1), (-2147483648 | 0) >>> 31);
}

function floats() {
    let sum = 0, x = 0.5;
    for (let i = 1; i <= 1000000; i++) {
        x = 3.75 * x * (1 - x);
        sum += Math.sqrt(i) * x - Math.floor(i / 3) + Math.fround(x) + Math.trunc(-i * x);
    }
    report('floats', sum, x, 0.1 + 0.2, 1e21 + 1, 5e-324, 1.7976931348623157e308 * 10, -0 === 0, Object.is(-0, 0), NaN !== NaN);
    for (const v of [0.5, 1.5, 2.5, -0.5, -1.5, 1e15 + 0.5, 4503599627370495.5, -2147483648.5])
        report('rounding', Math.round(v), Math.floor(v), Math.ceil(v), Math.trunc(v), v | 0, v >>> 0);
    let functions = 0;
    for (let i = 1; i < 20000; i++) {
        const v = i / 997;
        functions += Math.sin(v) * Math.cos(v / 3) + Math.atan2(v, 3) + Math.log(v) * 0.5 + Math.exp(-v) + Math.pow(v, 1.5) + Math.cbrt(v) +
            Math.hypot(v, 4) + Math.tanh(v);
    }
    report('functions', functions.toPrecision(9));
    const texts = [];
    for (let i = 0; i < 3000; i++) {
        const v = (random() - 2147483648) * Math.pow(2, (i % 200) - 100);
        const text = String(v);
        if (Number(text) !== v || parseFloat(text) !== v) texts.push(`wrong ${text}`);
        texts.push(text, v.toFixed(3), v.toExponential(12), v.toPrecision(7), Math.floor(Math.abs(v) % 1e9).toString(36));
    }
    report('numbers as text', texts.length, hashText(texts.join()), texts.slice(0, 5).join(' '));
}

function bigIntegers() {
    let f = 1n;
    for (let i = 1n; i <= 700n; i++) f *= i;
    const m = (1n << 521n) - 1n;
    let p = 3n;
    for (let i = 0; i < 300; i++) p = (p * p + BigInt(i)) % m;
    let [a, b] = [f + 1n, p];
    let steps = 0;
    while (b) {
        [a, b] = [b, a % b];
        steps++;
    }
    report('big integers', hashText(f.toString()), p.toString(16).slice(0, 24), steps, a, BigInt.asIntN(64, f / (1n << 900n)),
        BigInt.asUintN(65, -p), (-p) >> 70n & 0xffffffffn, (f ^ p) % 1000000007n, hashText((f / p).toString(7)));
}

function arrays() {
    const values = Array.from({length: 60000}, random);
    const byNumber = values.slice().sort((x, y) => x - y);
    const byText = values.map(v => v.toString(16)).sort();
    const records = values.map((v, i) => ({key: v % 101, i})).sort((x, y) => x.key - y.key);
    let stable = true;
    for (let i = 1; i < records.length; i++)
        if (records[i].key === records[i - 1].key && records[i].i < records[i - 1].i) stable = false;
    report('sorting', byNumber[0], byNumber[30000], byNumber[59999], byText[1], hashText(byText.join('')), stable);
    const total = values.filter(v => v & 1).map(v => v % 1000).reduce((x, y) => x + y, 0);
    const holes = [1, , 3];
    holes[10] = 'ten';
    holes.length = 8;
    const mixed = [1, 2.5, 'three', null, undefined, {four: 4}, [5]];
    report('arrays', total, holes.indexOf(undefined), JSON.stringify(holes), mixed.flat().length, JSON.stringify(mixed),
        [3, 1, 2].concat([[4]], 5).join('|'), values.splice(10, 5).length, values.length, [..."z\u{1F600}a"].length);
    const map = new Map(), set = new Set();
    for (const v of values) {
        map.set(v % 5003, (map.get(v % 5003) || 0) + 1);
        set.add(`${v % 777}`);
    }
    report('maps', map.size, set.size, [...map].slice(0, 3).join(';'), Math.max(...map.values()), [...set].slice(0, 5).join());
}

function typedArrays() {
    const buffer = new ArrayBuffer(65536), view = new DataView(buffer), bytes = new Uint8Array(buffer);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random() >>> 24;
    let sum = 0, big = 0n;
    for (let i = 0; i < 8000; i++) {
        const at = (i * 8 + (i & 7)) % 65528;
        sum = hash(sum, view.getUint32(at) ^ view.getInt32(at, true) ^ view.getUint16(at + 1, true) ^ view.getInt8(at));
        big = (big * 31n + view.getBigUint64(at) + view.getBigInt64(at, true)) & 0xffffffffffffffffn;
        view.setFloat64(at, view.getUint32(at) / 3, true);
        view.setFloat32(at, i / 7);
    }
    const f64 = new Float64Array(30000).map((_, i) => Math.sqrt(i)), f32 = Float32Array.from(f64), clamped = new Uint8ClampedArray(4);
    for (let round = 0; round < 40; round++)
        for (let i = 1; i < f64.length; i++) {
            f64[i] = (f64[i] + f64[i - 1]) * 0.5;
            f32[i] = f32[i] * 1.01 + f32[i - 1] * 0.25;
        }
    clamped.set([-5, 300, 1.5, 2.5]);
    const shorts = new Int16Array([40000, -40000, 65536.9, -1]);
    report('typed arrays', sum, big, hashText(bytes.join()), f64[29999], f32[12345], clamped.join(), shorts.join(), f64.subarray(10, 13).join());
    const shared = new Int32Array(new SharedArrayBuffer(64));
    for (let i = 0; i < 1000; i++) {
        Atomics.add(shared, i & 15, i);
        Atomics.xor(shared, (i * 7) & 15, i << 3);
        Atomics.compareExchange(shared, i & 15, 100, 7);
    }
    report('atomics', shared.join());
}

function texts() {
    const words = [];
    for (let i = 0; i < 20000; i++) words.push(`w${(random() >>> 8).toString(36)}-${i % 13 ? '' : 'x'.repeat(i % 7)}`);
    const text = words.join(' ');
    const counts = {};
    for (const match of text.matchAll(/\bw(?<letter>[a-z])(\d+)([a-z]*)-(x{2,})?/g)) {
        const key = match.groups.letter + (match[4] ? match[4].length : 0);
        counts[key] = (counts[key] || 0) + Number(match[2] % 1000);
    }
    report('expressions', text.length, hashText(JSON.stringify(counts)), Object.keys(counts).length,
        text.replace(/(\d)([a-z])(?=\1|-)/g, '<$2$1>').length, /^(a+)+b$/.test('a'.repeat(18)), text.split(/-x*\s/).length,
        'A\u00e4\u03a9\u{1F600}'.replace(/\p{L}/gu, c => `[${c.codePointAt(0)}]`).length, '2024-02-29'.match(/(?<=-)\d+$/)[0]);
    report('strings', hashText(text.toUpperCase().split('').reverse().join('')), text.indexOf('wzz'), text.lastIndexOf('xx'),
        'abc'.padStart(7, '*'), 'Stra\u00dfe'.toUpperCase(), 'e\u0301'.normalize('NFC').length, escape('\u20ac'), encodeURIComponent('\u20ac '),
        Buffer.from('h\u00e9llo', 'utf8').toString('base64'), ['b', 'a', 'C'].sort().join(''));
}

function json() {
    const tree = depth => depth ? {n: random(), d: depth / 3, s: `\u20ac"\\\n${depth}`, list: [tree(depth - 1), null, tree(depth - 1)], t: true} : [];
    const text = JSON.stringify(tree(11));
    const again = JSON.stringify(JSON.parse(text));
    const sum = JSON.parse(text, (key, value) => Array.isArray(value) ? value.reduce((x, y) => x + (y || 0), 0) : value && value.n ?
        (value.n % 1000) + value.list : value);
    report('json', text.length, hashText(text), again === text, sum);
}

// Two kinds of shapes behind one interface; later come numbers where objects were, and compiled code must be left.
class Shape {
    constructor(side) { this.side = side; }
    area() { return this.side; }
}
class Square extends Shape {
    area() { return super.area() * this.side; }
}
class Circle extends Shape {
    #scale = 3;
    area() { return super.area() ** 2 * this.#scale; }
}
function areas(shapes) {
    let sum = 0;
    for (const shape of shapes) sum += shape.area();
    return sum;
}
function add(x, y) { return x + y; }
function* naturals(limit) {
    for (let i = 0; i < limit; i++) yield i;
}
function objects() {
    const shapes = Array.from({length: 1000}, (_, i) => new [Square, Circle][i & 1](i % 10));
    let sum = 0;
    for (let i = 0; i < 300; i++) sum += areas(shapes);
    shapes.push({area: () => 0.5}, Object.create({area() { return 1000; }}));
    report('objects', sum, areas(shapes), shapes[0] instanceof Shape);
    let number = 0, text = '';
    for (let i = 0; i < 200000; i++) number = add(number, i & 7);
    for (let i = 0; i < 200; i++) text = add(text, i);
    let fraction = 0;
    for (let i = 0; i < 100000; i++) fraction = add(fraction, 0.25);
    report('other types', number, hashText(text), fraction, add(2147483647, 1), add(1n, 2n), add([1], {}));
    let generated = 0;
    for (const n of naturals(200000)) generated += n;
    const proxy = new Proxy({}, {get: (_, name) => `${String(name)}!`});
    let caught = 0;
    for (let i = 0; i < 20000; i++)
        try {
            if (i % 3 === 0) throw new RangeError(`${i}`);
            if (i % 1000 === 1) null.x;
            caught += 1;
        } catch (e) {
            caught += e instanceof RangeError ? Number(e.message) : 0.5;
        } finally {
            caught += 0.25;
        }
    const deep = n => n ? 1 + deep(n - 1) : 0;
    let bottom = false;
    try {
        (function down() { return 1 + down(); })();
    } catch (e) {
        bottom = e instanceof RangeError;
    }
    report('control', generated, proxy.name, caught, deep(5000), bottom, new Date(Date.UTC(2024, 1, 29, 12)).toISOString());
}

// More garbage than there is room for, with a list that lives through it.
function storage() {
    let kept = null, sum = 0;
    for (let i = 0; i < 400000; i++) {
        const cell = {i, text: `t${i & 255}`, more: [i, i + 1]};
        if (i % 100 === 0) kept = {cell, next: kept};
        sum += cell.more[1] + cell.text.length;
    }
    let n = 0, check = 0;
    for (; kept; kept = kept.next) {
        n++;
        check = hash(check, kept.cell.i + kept.cell.more[0]);
    }
    report('storage', sum, n, check);
}

// A module with functions for 32- and 64-bit integers, floating point and memory, put together here.
function webAssembly() {
    const name = text => [text.length, ...Buffer.from(text)];
    const section = (id, ...body) => [id, ...leb(body.length), ...body];
    const leb = n => n < 128 ? [n] : [n & 127 | 128, ...leb(n >>> 7)];
    const code = (locals, ...body) => {
        const all = [...locals, ...body, 0x0b];
        return [...leb(all.length), ...all];
    };
    const types = section(1, 3, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7e, 1, 0x7e, 0x60, 1, 0x7f, 1, 0x7c);
    const functions = section(3, 3, 0, 1, 2), memory = section(5, 1, 0, 1);
    const exported = section(7, 3, ...name('mix'), 0, 0, ...name('collatz'), 0, 1, ...name('series'), 0, 2);
    // mix(n): a word of memory for each i below n, rotated, multiplied and counted.
    const mix = code([1, 2, 0x7f], 0x03, 0x40, //
        0x20, 2, 0x20, 1, 0x6a, 0x41, 7, 0x77, 0x41, 0xb9, 0xf3, 0xdd, 0xf1, 0x79, 0x6c, 0x20, 1, 0x69, 0x6a, 0x21, 2, //
        0x20, 1, 0x41, 0xff, 0x01, 0x71, 0x41, 2, 0x74, 0x20, 2, 0x36, 2, 0, //
        0x20, 2, 0x20, 1, 0x41, 0x3f, 0x71, 0x28, 2, 0, 0x73, 0x21, 2, //
        0x20, 1, 0x41, 1, 0x6a, 0x22, 1, 0x20, 0, 0x49, 0x0d, 0, 0x0b, 0x20, 2);
    // collatz(n): how many steps to 1.
    const collatz = code([1, 1, 0x7e], 0x02, 0x40, 0x03, 0x40, 0x20, 0, 0x42, 1, 0x51, 0x0d, 1, //
        0x20, 0, 0x42, 1, 0x83, 0x50, 0x04, 0x7e, 0x20, 0, 0x42, 1, 0x88, 0x05, 0x20, 0, 0x42, 3, 0x7e, 0x42, 1, 0x7c, 0x0b, 0x21, 0, //
        0x20, 1, 0x42, 1, 0x7c, 0x21, 1, 0x0c, 0, 0x0b, 0x0b, 0x20, 1);
    // series(n): the sum of sqrt(i) / 3 for i from n down to 1.
    const series = code([1, 1, 0x7c], 0x03, 0x40, 0x20, 1, 0x20, 0, 0xb8, 0x9f, 0x44, 0, 0, 0, 0, 0, 0, 8, 0x40, 0xa3, 0xa0, 0x21, 1, //
        0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1);
    const bytes = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...functions, ...memory, ...exported,
        ...section(10, 3, ...mix, ...collatz, ...series)]);
    const {exports} = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    let steps = 0n;
    for (let i = 1n; i < 4000n; i++) steps += exports.collatz(i);
    let trapped = '';
    try {
        new WebAssembly.Instance(new WebAssembly.Module(bytes.slice(0, -2)));
    } catch (e) {
        trapped = e.constructor.name;
    }
    report('web assembly', exports.mix(2000000), exports.mix(1000), steps, exports.collatz(837799n), exports.series(1000000), trapped);
}

async function promises() {
    let order = '';
    const wait = async (n, name) => {
        for (let i = 0; i < n; i++) await null;
        order += name;
        return n;
    };
    const all = await Promise.all([wait(3, 'c'), wait(1, 'a'), wait(2, 'b')]);
    let sum = 0;
    for await (const n of (async function* () { for (let i = 0; i < 5000; i++) yield i; })()) sum += n;
    await Promise.reject(new Error('x')).catch(() => { order += 'x'; });
    report('promises', order, all.join(), sum);
}

// Threads with a compiler and storage of their own.
async function threads() {
    const {Worker} = require('worker_threads');
    const work = 'const { parentPort, workerData: n } = require("worker_threads"); let s = n; ' +
        'for (let i = 0; i < 500000; i++) s = (Math.imul(s, 31) + i) | 0; parentPort.postMessage(s);';
    const sums = await Promise.all([1, 2, 3].map(n => new Promise((resolve, reject) => {
        const worker = new Worker(work, {eval: true, workerData: n});
        worker.on('message', resolve);
        worker.on('error', reject);
    })));
    report('threads', sums.join());
}

function libraries() {
    const zlib = require('zlib'), crypto = require('crypto');
    const data = Buffer.alloc(200000);
    for (let i = 0; i < data.length; i++) data[i] = (i * i) >>> 9;
    const packed = zlib.deflateSync(data);
    const key = Buffer.alloc(32, 7), cipher = crypto.createCipheriv('aes-256-gcm', key, key.subarray(0, 12));
    const secret = Buffer.concat([cipher.update(data), cipher.final()]);
    report('libraries', zlib.inflateSync(packed).equals(data), crypto.createHash('sha256').update(data).digest('hex').slice(0, 16),
        hashText(secret.toString('latin1')), cipher.getAuthTag().toString('hex'));
}

async function main() {
    for (const work of [integers, floats, bigIntegers, arrays, typedArrays, texts, json, objects, storage, webAssembly, promises, threads,
        libraries]) await work();
    console.log('end');
}
main();
