-- What a lesson is made of: actions, questions, the latest strikes, weights,
-- energies, and bodies that are not sampled exactly.
-- seconds: 1.2
-- says: body 'flat', discretisation bilinear: mode 1 at
local sb = require "sandbell"

local function raises(text, f, ...)
  local ok, message = pcall(f, ...)
  if ok or not tostring(message):find(text, 1, true) then
    error("raised " .. tostring(message) .. "\nnot    " .. text, 2)
  end
end

local shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }
local bar = sb.body("bar", { shape = shape, material = "steel" })
local flat = sb.body("flat", { shape = shape, material = "steel", discretisation = "bilinear" })
local sharp = sb.body("sharp", { shape = shape, material = "steel", discretisation = "euler" })
local folded = sb.body("folded", { shape = shape, material = "steel", discretisation = "naive" })

raises("discretisation must be one of", sb.body, "x",
  { shape = shape, material = "steel", discretisation = "exakt" })
raises("sb.action needs a function", sb.action, "x", 1)
raises("sb.question: the name", sb.question, 1, print)
raises("sb.press", sb.press, "hit")
raises("sb.strikes", sb.strikes)

local pressed = 0
sb.action("hit", function()
  bar:strike { at = { u = 0.5, v = 0.5 }, speed = 1 }
  pressed = pressed + 1
  sb.sleep(0.1)
  pressed = pressed + 1
end)
sb.question("typed", function(answer) return answer == 7, answer and "read" end)
sb.question("mute", function() return false end)

-- Whose strikes count, and what a question may compute.
local function last_by() local all = sb.strikes() return #all, all[#all] and all[#all].by end
sb.question("by_hand", function() local n, by = last_by() return n > 0, tostring(by) end)
sb.question("by_button", function() local n, by = last_by() return n > 0, tostring(by) end, { strikes = { "hit" } })
sb.question("nothing", function() return 0 / 0 ~= 1, "NaN" end)
sb.question("astray", function() return true end, { strikes = { "hti" } })
sb.question("broken", function() error("broken") end)
raises("sb.action: 'hand' stands for strikes", sb.action, "hand", print)
raises("there is no unit 'furlong'", sb.question, "x", print, { unit = "furlong" })
raises("strikes must be a list of names", sb.question, "x", print, { strikes = "hit" })
raises("unknown field 'strike'; did you mean 'strikes'", sb.question, "x", print, { strike = { "hit" } })

-- The closed forms of lesson 8, from the API.
local function check_played()
  local rate = sb.stats().sample_rate
  for k, mode in ipairs(flat:modes()) do
    local form = rate / math.pi * math.atan(math.pi * mode.freq_hz / rate)
    assert(math.abs(mode.played_hz / form - 1) < 1e-5, string.format("mode %d: %g, not %g", k, mode.played_hz, form))
    assert(math.abs(mode.cents - 1200 * math.log(form / mode.freq_hz, 2)) < 0.01, string.format("mode %d: %g cents", k, mode.cents))
  end
  for k, mode in ipairs(sharp:modes()) do
    local x = math.pi * mode.freq_hz / rate
    if x < 0.9 then
      assert(math.abs(mode.played_hz / (rate / math.pi * math.asin(x)) - 1) < 1e-3, string.format("mode %d: %g", k, mode.played_hz))
    elseif x > 1.01 then
      assert(mode.played_hz == 0 and mode.cents == 0, mode.label)
    end
  end
  local above = 0
  for _, mode in ipairs(folded:modes()) do
    assert(mode.played_hz <= rate / 2)
    if mode.freq_hz > rate / 2 then above = above + 1 end
  end
  assert(above > 5, "modes above half the rate are kept")
  local first = bar:modes()[1]
  assert(first.played_hz == first.freq_hz and first.cents == 0)
end

function scene.start()
  sb.go(function()
    check_played()
    assert(#sb.strikes() == 0)
    assert(bar:energies() == nil, "the first call only begins to measure")
    sb.press("hit")
    sb.sleep(0.15)
    assert(pressed == 2, "an action runs, and may sleep")
    local all = sb.strikes()
    assert(#all == 1 and all[1].body == bar and math.abs(all[1].u - 0.5) < 1e-9)
    -- A strike in the centre leaves out the even flexural modes, by its place
    -- and as the audio thread measures it.
    local weights, heard = bar:weights { at = { u = 0.5, v = 0.5 } }, bar:energies()
    local modes = bar:modes()
    assert(#weights == #modes and #heard >= #modes)
    for k, mode in ipairs(modes) do
      if mode.label == "flexural 1" then
        assert(math.abs(weights[k]) > 1 and heard[k] > 0)
        -- What the closed form says the mode got is what it has, but for decay.
        local expected = all[1].energies[k] * 10 ^ (-6 * (sb.now() - all[1].time) / mode.t60_s)
        assert(math.abs(10 * math.log(heard[k] / expected, 10)) < 1, heard[k] / expected)
      elseif mode.label == "flexural 2" then
        assert(math.abs(weights[k]) < 1e-6 and heard[k] < 1e-9 * heard[1])
      end
    end
    raises("sb.press: the scene declares no action 'hti'", sb.press, "hti")
    raises("sb.ask: the scene declares no question 'x'", sb.ask, "x")
    local ok, text = sb.ask("typed", 7)
    assert(ok == true and text == "read")
    ok, text = sb.ask("typed", "7")
    assert(ok == false and text == "read")
    ok, text = sb.ask("mute")
    assert(ok == false and text == "Not yet.")
    -- The scene pressed the button itself: that is nobody's strike.
    assert(all[1].by == nil)
    for _, name in ipairs { "by_hand", "by_button" } do
      ok, text = sb.ask(name)
      assert(ok == false and text == "nil", name)
    end
    ok, text = sb.ask("nothing")
    assert(ok == false and text:find("cannot be judged"), text)
    raises("strikes names 'hti', and the scene declares no such action", sb.ask, "astray")
    raises("broken", sb.ask, "broken")
    assert(#sb.strikes() == 1, "all are listed again after a question has failed")
    raises("body:weights", function() bar:weights { ta = { 0, 0 } } end)
    print("done")
  end)
end
-- SPDX-License-Identifier: MIT
