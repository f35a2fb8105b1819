/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception numbers that packets leave out because an earlier packet had them, as the decoder finds them again. What it
   remembers is changed by packets alone, in their order. */
#include "ri/trace/read/decoder.h"

void et_numbers_clear(struct et_numbers *numbers)
{
    numbers->remembered = -1;
    numbers->stacked = numbers->top = numbers->write = 0;
    for (size_t i = 0; i < sizeof numbers->fifo / sizeof *numbers->fifo; i++)
        numbers->fifo[i] = ET_NUMBERS;
}

static unsigned stack_room(const struct et_config *config) { return 1u << ET_GET(config, ETFR, STKD); }

static unsigned fifo_room(const struct et_config *config) { return 2u << ET_GET(config, ETFR, FIFOSZ); }

/* A full stack loses its bottom. */
static void push(struct et_numbers *numbers, unsigned room, unsigned en)
{
    numbers->top = (numbers->top + 1) % room;
    numbers->stack[numbers->top] = (uint16_t)en;
    if (numbers->stacked < room)
        numbers->stacked++;
}

static void write(struct et_numbers *numbers, unsigned room, unsigned en)
{
    numbers->fifo[numbers->write % room] = (uint16_t)en;
    numbers->write = (numbers->write + 1) % room;
}

void et_numbers_told(struct et_numbers *numbers, const struct et_config *config, unsigned en)
{
    switch (ET_GET(config, ETFR, COMP)) {
    case ET_COMP_PREVIOUS:
        numbers->remembered = (int)en;
        break;
    case ET_COMP_STACK:
        push(numbers, stack_room(config), en);
        break;
    case ET_COMP_FIFO:
        write(numbers, fifo_room(config), en);
    }
}

int et_numbers_same(struct et_numbers *numbers, const struct et_config *config)
{
    if (ET_GET(config, ETFR, COMP) == ET_COMP_PREVIOUS)
        return numbers->remembered;
    if (ET_GET(config, ETFR, COMP) != ET_COMP_STACK || !numbers->stacked)
        return -1;
    const unsigned room = stack_room(config), en = numbers->stack[numbers->top];
    numbers->top = (numbers->top + room - 1) % room;
    numbers->stacked--;
    return (int)en;
}

int et_numbers_fifo(struct et_numbers *numbers, const struct et_config *config, unsigned index)
{
    const unsigned room = fifo_room(config);
    if (ET_GET(config, ETFR, COMP) != ET_COMP_FIFO || numbers->fifo[index % room] >= ET_NUMBERS)
        return -1;
    const unsigned en = numbers->fifo[index % room];
    write(numbers, room, en);
    return (int)en;
}
