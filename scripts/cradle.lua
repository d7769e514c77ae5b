-- Newton's cradle: balls hang side by side. The first is raised and let go; its
-- blow passes through the balls at rest, and the last one flies off.
--
--   sandbell run scripts/cradle.lua
--   sandbell render scripts/cradle.lua -o two.wav --set raised=2
--   sandbell render scripts/cradle.lua -o five.wav --events five.jsonl
--
-- The balls at rest do not move, but each is struck by one neighbour and strikes
-- the next, so all of them ring. A massive steel ball of this size rings above
-- 50 kHz, so these are hollow and open at the top and at the bottom.
local sb = require "sandbell"

sb.listener { position = { 0, 0, 0.6 }, facing = { 0, 0, -1 }, gain = 2 }

local balls = sb.param("balls", { min = 2, max = 10, default = 5 })
local raised = sb.param("raised", { min = 1, max = 5, default = 1 })
local angle = sb.param("angle", { min = 5, max = 60, default = 30 })                 -- degrees
local restitution = sb.param("restitution", { min = 0.5, max = 1, default = 0.96 })

local RADIUS, WALL, STRING = 0.025, 0.001, 0.25
local GAP = 1e-5 -- m

-- The middle of the wall, from the rim of one opening to that of the other.
local OPENING = math.rad(50)
local profile = {}
for i = 0, 10 do
  local a = OPENING + (math.pi - 2 * OPENING) * i / 10
  profile[i + 1] = { (RADIUS - WALL / 2) * math.sin(a), -(RADIUS - WALL / 2) * math.cos(a) }
end
local shape = sb.revolve { profile = profile, thickness = WALL }

local theta = math.rad(angle())
for i = 1, balls() do
  local x = (i - (balls() + 1) / 2) * (2 * RADIUS + GAP)
  local a = i <= raised() and theta or 0
  local ball = sb.body("ball " .. i, {
    shape = shape, material = "steel", motion = "free", restitution = restitution(),
    collider = { kind = "sphere", radius = RADIUS },
    position = { x - STRING * math.sin(a), -STRING * math.cos(a), 0 }, rotation = { 0, 0, 1, -a },
  })
  sb.joint("string " .. i, { kind = "ball", a = ball, at = { x, 0, 0 }, friction = 1e-4 })
end
