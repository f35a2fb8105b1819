/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The libraries of the panel's window. */
#include "emu/panel/window/sdl.h"

#ifdef HAVE_SDL2
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void *open_library(const char *name, const char *package, char *error, size_t size)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(error, size, "the panel's pictures need the library %s: %s; install %s", name, dlerror(), package);
    return library;
}

/* A function of a library as a pointer of its own type, which C does not convert to. */
static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

int sdl_load(struct sdl *sdl, char *error, size_t size)
{
    bool all = true;
    *sdl = (struct sdl){.libraries = {NULL}};
    sdl->libraries[0] = open_library("libSDL2-2.0.so.0", "libsdl2-2.0-0", error, size);
    if (sdl->libraries[0])
        sdl->libraries[1] = open_library("libSDL2_ttf-2.0.so.0", "libsdl2-ttf-2.0-0", error, size);
    if (!sdl->libraries[0] || !sdl->libraries[1]) {
        sdl_unload(sdl);
        return -ENOTSUP;
    }
#define SDL(name) all &= find(sdl->libraries[0], #name, &sdl->name);
#define TTF(name) all &= find(sdl->libraries[1], #name, &sdl->name);
#include "emu/panel/window/sdl.def"
    if (all)
        return 0;
    snprintf(error, size,
             "the SDL2 or SDL2_ttf of this host is too old for the panel; SDL2 2.0.18 and SDL2_ttf 2.0.18 will do");
    sdl_unload(sdl);
    return -ENOTSUP;
}

void sdl_unload(struct sdl *sdl)
{
    for (unsigned i = 2; i > 0; i--)
        if (sdl->libraries[i - 1])
            dlclose(sdl->libraries[i - 1]);
    *sdl = (struct sdl){.libraries = {NULL}};
}
#endif
