#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# An independent judge with exact fractions, for what QEMU and Hercules have wrong: float-exact.py RESULT CASES, where RESULT
# comes from `compare CLASS run'. Binary: add, subtract, multiply, divide, multiply and add between registers with every rounding
# mode, flags and traps with scaled results. Hexadecimal: multiply and add, normalized and not.
import sys
from fractions import Fraction as Q
from collections import Counter

def binary(d, n):
    P={'S':(24,127,32,192),'L':(53,1023,64,1536),'X':(113,16383,128,24576)}
    ops={}
    for base,o in ((0x0a,'+'),(0x0b,'-'),(0x0d,'/')):
        ops[0xb300|base]=('S',o); ops[0xb310|base]=('L',o); ops[0xb340|base]=('X',o)
    ops[0xb317]=('S','*'); ops[0xb31c]=('L','*'); ops[0xb34c]=('X','*')
    def val(b,f):
        p,em,bits,_=P[f]; s=b>>(bits-1); e=(b>>(p-1))&(2*em+1); m=b&((1<<(p-1))-1)
        if e==2*em+1: return None
        v=Q(m+(1<<(p-1)) if e else m)*Q(2)**((e if e else 1)-em-p+1)
        return -v if s else v
    def pack(s,e,m,f):
        p,em,bits,_=P[f]; return s<<(bits-1)|(e+em)<<(p-1)|(m&((1<<(p-1))-1))
    def rnd(q,mode,s):
        k=q.numerator//q.denominator; r=q-k
        if r==0: return k,False,False
        up={0:r>Q(1,2) or (r==Q(1,2) and k&1),1:False,2:not s,3:bool(s),7:not k&1}[mode]
        return k+int(bool(up)),True,bool(up)
    for base,o in ((0x0e,'m+'),(0x0f,'m-')):
        ops[0xb300|base]=('S',o); ops[0xb310|base]=('L',o)
    ops[0xb30c]=('L','w*'); ops[0xb307]=('X','w*')
    C=Counter(); bad=Counter()
    for k in range(n):
        at=0x100000+1024*k; c=d[at:at+1024]; code=c[344:352]; op=code[0]<<8|code[1]
        if op not in ops: continue
        if int.from_bytes(c[870:872],'big')==6: continue
        f,o=ops[op]; p,em,bits,al=P[f]; r1=code[3]>>4; r2=code[3]&15
        def get(o_,r):
            v=int.from_bytes(c[o_+8*r:o_+8*r+8],'big')
            if f=='S': return v>>32
            if f=='L': return v
            return v<<64|int.from_bytes(c[o_+8*r+16:o_+8*r+24],'big')
        if o[0]=='m': r3=code[3]>>4; r1=code[2]>>4
        if o=='w*':
            f,g='SL'[f=='X'],f; a,b=val(get(128,r1),f),val(get(128,r2),f); f=g; o='*'
        else:
            a,b=val(get(128,r1),f),val(get(128,r2),f)
        third=val(get(128,r3),f) if o[0]=='m' else 0
        if third is None: continue
        if a is None or b is None or (o=='/' and b==0): continue
        q=third*b+(a if o=='m+' else -a) if o[0]=='m' else a+b if o=='+' else a-b if o=='-' else a*b if o=='*' else a/b
        if q==0: continue
        fpc=int.from_bytes(c[336:340],'big'); masks=fpc>>24; mode=fpc&7
        s=int(q<0); q=abs(q); e=0
        e=q.numerator.bit_length()-q.denominator.bit_length()
        if q<Q(2)**e: e-=1
        flags=0; dxc=0
        M,ix,inc=rnd(q/Q(2)**(e-p+1),mode,s); E=e
        if M>>p: M>>=1; E+=1
        if e<1-em and masks&0x10:
            dxc=0x10|(ix and 8|(inc and 4)); exp=pack(s,E+al,M,f)
        elif e<1-em:
            M,ix,inc=rnd(q/Q(2)**(1-em-p+1),mode,s); exp=(s<<(bits-1))|M
            if ix: flags|=0x10
            if ix: 
                if masks&8: dxc=8|(inc and 4)
                else: flags|=8
        elif E>em and masks&0x20: dxc=0x20|(ix and 8|(inc and 4)); exp=pack(s,E-al,M,f)
        elif E>em:
            flags|=0x20; inf=mode==0 or (mode==2 and not s) or (mode==3 and s)
            exp=(s<<(bits-1))|(((2*em+1)<<(p-1))-(0 if inf else 1))
            if masks&8: dxc=8|(4 if inf else 0); C['ovf+inexact trap']+=1
            else: flags|=8
        else:
            exp=pack(s,E,M,f)
            if ix:
                if masks&8: dxc=8|(inc and 4)
                else: flags|=8
        got=get(640,r1); fpco=int.from_bytes(c[880:884],'big')
        pic=int.from_bytes(c[870:872],'big'); gd=c[875] if pic==7 else 0
        efpc=fpc|flags<<16
        if dxc: efpc=efpc&~0xff00|dxc<<8
        ok=got==exp and gd==dxc and fpco==efpc
        C['trap %02x'%dxc]+=1
        if not ok: 
            bad[(f,o,'%02x'%dxc,'%02x'%gd,mode)]+=1
            if len(bad)<4: print(code.hex(),hex(fpc),'exp',hex(exp),hex(efpc),'%02x'%dxc,'got',hex(got),hex(fpco),'%02x'%gd)
    print(sum(C.values()),dict(C),'bad',dict(bad))

    return sum(bad.values())

def hexadecimal(d, n, h=None):
    # judge of MAE/MAD/MSE/MSD and MAY/MY with exact fractions
    def val(b,nd):
        bits=nd*4; f=b&((1<<bits)-1); c=(b>>bits)&127; s=b>>(bits+7)
        return (-1)**s*Q(f,16**nd)*Q(16)**(c-64), c, f, s
    ops={0xb32e:('S',0),0xb33e:('L',0),0xb32f:('S',1),0xb33f:('L',1),0xed2e:('S',0),0xed3e:('L',0),0xed2f:('S',1),0xed3f:('L',1)}
    may={0xb338:'L',0xb33a:'B',0xb33c:'H',0xed38:'L',0xed3a:'B',0xed3c:'H'}
    bad=cnt=0; hb=0
    C=Counter()
    for k in range(n):
        at=0x100000+1024*k; cse=d[at:at+1024]; code=cse[344:352]
        op=code[0]<<8|(code[1] if code[0]==0xb3 else code[5])
        if op not in ops and op not in may: continue
        fpr=[int.from_bytes(cse[128+8*r:136+8*r],'big') for r in range(16)]
        out=[int.from_bytes(cse[640+8*r:648+8*r],'big') for r in range(16)]
        pic=int.from_bytes(cse[864+6:864+8],'big')
        if code[0]==0xb3: r1=code[2]>>4; r3=code[3]>>4; b=fpr[code[3]&15]
        else:
            r1=code[4]>>4; r3=code[1]>>4; a=int.from_bytes(code[2:4],'big')&0xfff; b=int.from_bytes((cse[256:320])[a:a+8],'big')
        cnt+=1
        if op in ops:
            f,sub=ops[op]; nd=6 if f=='S' else 14; sh=32 if f=='S' else 0
            x=val(b>>sh,nd)[0]*val(fpr[r3]>>sh,nd)[0]; y=val(fpr[r1]>>sh,nd)[0]; x= x-y if sub else x+y
            um=int.from_bytes(cse[320:328],'big')>>41&1
            if x==0: e=0; code_=0
            else:
                s=x<0; x=abs(x); c=64
                while x>=1: x/=16; c+=1
                while x<Q(1,16): x*=16; c-=1
                F=int(x*16**nd); code_=0
                if c>127: code_=0xc; c-=128; e=s<<(4*nd+7)|c<<(4*nd)|F
                elif c<0 and um: code_=0xd; c+=128; e=s<<(4*nd+7)|c<<(4*nd)|F
                elif c<0: e=0
                else: e=s<<(4*nd+7)|c<<(4*nd)|F
            got=out[r1]>>sh
            if got!=e or pic!=code_: bad+=1; C[hex(op)]+=1
        else:
            pb,cb,fb,sb=val(b,14); p3,c3,f3,s3=val(fpr[r3],14); y,c1,f1,s1=val(fpr[r1],14)
            cp=cb+c3-64; prod=(-1)**(sb^s3)*fb*f3; t=prod+Q((-1)**s1*f1*16**14)*Q(16)**(c1-cp)
            s=t<0; F=int(abs(t))%16**28
            if t==0: s=None
            hi=(cp&127)<<56|F>>56; lo=((cp-14)&127)<<56|F&((1<<56)-1)
            m=(1<<63)-1
            part=may[op]; 
            g=(out[r1&13]&m)==hi and (out[(r1&13)+2]&m)==lo if part=='B' else (out[r1]&m)==(hi if part=='H' else lo)
            sg=out[r1&13 if part=='B' else r1]>>63
            if not g or (s is not None and sg!=s): bad+=1; C[hex(op)]+=1
            if h:
                o=[int.from_bytes(h[at+640+8*r:at+648+8*r],'big') for r in range(16)]
                if t==0: C['zero sum ours %d herc %d signs %d %d'%(sg,o[r1&13 if part=='B' else r1]>>63,s1,sb^s3)]+=1
    print(cnt,'judged',bad,'bad',C)

    return bad

storage, cases = open(sys.argv[1],'rb').read(), int(sys.argv[2])
sys.exit(1 if binary(storage, cases) + hexadecimal(storage, cases) else 0)
