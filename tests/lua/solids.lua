-- Spheres, boxes, cylinders and the floor as bodies of a scene.
-- seconds: 1
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

-- All modes of these are above what can be heard: they click, and do not ring.
local ball = sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel" })
local die = sb.body("die", { shape = sb.box { width = 0.012, height = 0.012, depth = 0.012 }, material = "plastic" })
local coin = sb.body("coin", { shape = sb.cylinder { radius = 0.01, length = 0.01 }, material = "brass" })
local ground = sb.body("ground", { shape = sb.floor() })
local slate = sb.body("slate", { shape = sb.floor {}, material = "stone" })
-- These ring.
local block = sb.body("block", { shape = sb.box { width = 0.4, height = 0.06, depth = 0.1 }, material = "wood" })

raises("sb.body: body 'deep': diffuse needs a shape that rings, and a floor does not",
  function() sb.body("deep", { shape = sb.floor(), diffuse = {} }) end)

function scene.start()
  block:strike { at = { u = 0.2, v = 0.5 }, speed = 1, mass = 0.02, hardness = 1e6 }
  block:strike { with = ball, speed = 1 }
  block:strike { with = die, speed = 1 }
  block:strike { with = coin, speed = 1 }
  ball:strike { with = die, speed = 1 }
  ground:strike { with = ball, speed = 1 }
  slate:strike { with = block, speed = 0.5 }
  raises("body:strike: body 'ground' cannot move as a whole; give the mass that it strikes with",
    function() block:strike { with = ground, speed = 1 } end)
  -- What has nothing to solve can be made while the scene plays.
  sb.body("late", { shape = sb.sphere { radius = 0.005 }, material = "glass" })
  raises("sb.body: shapes made of elements are computed while the scene loads; make this body at the top of the script",
    function() sb.body("later", { shape = sb.sphere { radius = 1 }, material = "glass" }) end)
  print "done"
end
-- SPDX-License-Identifier: MIT
