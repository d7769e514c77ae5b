-- A hundred thousand bodies.
-- Phases: load, update, coroutine, reload.
-- Needs the whole budget: the limit on bodies ends it.
local sb = require "sandbell"
local shape = sb.modes { { 440, 1 } }
for i = 1, 100000 do sb.body("b" .. i, { shape = shape }) end
