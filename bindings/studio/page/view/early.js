// SPDX-License-Identifier: MIT
// Runs before all modules: the graphics context takes long where there is no
// graphics card, and longer when it must wait until the page is painted.
{
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl', { alpha: false, stencil: true, antialias: false });
    Object.assign(window, { early: { canvas, context } });
}
