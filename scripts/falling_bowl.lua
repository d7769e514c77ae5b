-- A bronze bowl falls onto a stone floor and tumbles (after O'Brien, Cook &
-- Essl 2001, figure 1). Each impact is on another part of the bowl and excites
-- its tones differently. Nothing is prescribed: the bowl bends where it lands,
-- and bounces because it springs back.
--
--   sandbell render scripts/falling_bowl.lua --duration 0.8 --film 8 --spectrogram bowl.png
local sb = require "sandbell"

local elements = sb.param("elements", { min = 4, max = 60, default = 10 })  -- along its diameter
local height = sb.param("height", { min = 0.12, max = 2, default = 0.16 })  -- of its centre, m
local tilt = sb.param("tilt", { min = 0, max = 180, default = 35 })         -- degrees

sb.listener { position = { 0, 0.5, 0.8 }, facing = { 0, -0.4, -0.8 }, gain = 2 }

sb.body("floor", { shape = sb.floor {}, material = "stone" })

-- Radius and height, from the middle of its floor to its rim, m.
local profile = { { 0, 0 }, { 0.045, 0.003 }, { 0.087, 0.027 }, { 0.111, 0.072 }, { 0.114, 0.12 } }

sb.deformable("bowl", {
  shape    = sb.revolve { profile = profile, thickness = 0.004 },
  material = "bronze",
  elements = elements(),
  motion   = "free",
  position = { 0, height(), 0 },
  rotation = { 0, 0, 1, math.rad(tilt()) },
  velocity = { -0.3, -1, 0 },
  spin     = { 2, 0, 6 },
})
