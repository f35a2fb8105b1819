# What stands in front of a bare C program: a stack, and a good end behind it.
        .globl  _start
        .type   _start, @function
_start: .cfi_startproc
        .cfi_undefined %r14
        larl    %r15, stack
        brasl   %r14, start
        larl    %r1, end
        lpswe   0(%r1)
        .cfi_endproc
        .size   _start, .-_start
        .balign 8
end:    .quad   0x0002000180000000, 0           # disabled wait
        .bss
        .balign 8
        .space  4096
stack:  .space  160
        .section .note.GNU-stack, "", @progbits
