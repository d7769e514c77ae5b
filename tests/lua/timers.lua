-- Scene time: exact, in order, and on the clock of samples, not of steps.
-- seconds: 3
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

local expected, events = {}, {}
local function event(name) events[#events + 1] = name end

check.equal(sb.now(), 0.0, "the script describes the scene at time 0")

-- Exact times, whatever the control steps of 10 ms.
sb.go(function()
  check.equal(sb.now(), 0.0)
  sb.sleep(0.1)
  check.equal(sb.now(), 0.1)
  sb.sleep(1 / 3)
  check.equal(sb.now(), 0.1 + 1 / 3)
  sb.sleep(1e-9) -- far less than a sample
  check.equal(sb.now(), 0.1 + 1 / 3 + 1e-9)
  sb.sleep(0)
  check.equal(sb.now(), 0.1 + 1 / 3 + 1e-9)
  event "exact sleeps"
end)
expected[#expected + 1] = "exact sleeps"

sb.after(0.7, function()
  check.equal(sb.now(), 0.7)
  -- From here, relative to here.
  sb.after(0.05, function()
    check.equal(sb.now(), 0.7 + 0.05)
    event "after in after"
  end)
end)
expected[#expected + 1] = "after in after"

-- sb.every does not drift: n times the span, not a sum.
local beats = 0
local pulse
pulse = sb.every(0.007, function()
  beats = beats + 1
  check.equal(sb.now(), 0.007 + (beats - 1) * 0.007)
  if beats == 120 then
    check.equal(pulse:cancel(), true, "it cancels itself")
    event "120 beats"
  end
  assert(beats <= 120, "a cancelled timer runs no more")
end)
expected[#expected + 1] = "120 beats"

-- First come, first served among equals, of all kinds.
local order = {}
for i = 1, 5 do sb.after(0.9, function() order[#order + 1] = i end) end
sb.go(function()
  sb.sleep(0.9)
  order[#order + 1] = "go"
end)
sb.after(0.95, function()
  check.equal(table.concat(order, " "), "1 2 3 4 5 go")
  event "order"
end)
expected[#expected + 1] = "order"

-- Cancelling: others, twice, too late, from inside, a sleeping coroutine.
local never = sb.after(0.96, function() error "cancelled, and yet it runs" end)
local sleeper = sb.go(function()
  sb.sleep(0.97)
  error "cancelled, and yet it runs"
end)
local not_begun = sb.go(function() error "cancelled, and yet it runs" end)
check.equal(not_begun:cancel(), true)
check.equal(not_begun:cancel(), false)
local over = sb.after(0, function() end)
local self
self = sb.go(function()
  check.equal(self:cancel(), true)
  sb.sleep(0)
  error "a coroutine that cancels itself ends at its next sleep"
end)
sb.after(0.5, function()
  check.equal(never:cancel(), true)
  check.equal(never:cancel(), false)
  check.equal(sleeper:cancel(), true)
  check.equal(over:cancel(), false)
  event "cancel"
end)
table.insert(expected, 2, "cancel")
check.equal(tostring(over), "timer")

-- A plain yield waits for the next step; odd values do no harm.
sb.go(function()
  local before = sb.now()
  coroutine.yield()
  check.near(sb.now(), before + 0.01, 1e-9)
  coroutine.yield("x", nil, {})
  check.near(sb.now(), before + 0.02, 1e-9)
  coroutine.yield(0 / 0)
  coroutine.yield(-1)
  check.near(sb.now(), before + 0.04, 1e-9)
end)

-- Sleeping through pcall, and in the script's own coroutines.
sb.go(function()
  local is_well, value = pcall(function()
    sb.sleep(0.25)
    return sb.now()
  end)
  check.equal(is_well, true)
  check.equal(value, 0.25)
  local inner = coroutine.create(function() sb.sleep(0.1) end)
  local _, message = coroutine.resume(inner)
  check.equal(select(3, check.split(message)), "sb.sleep works inside sb.go(function() ... end)")
end)

-- Ten thousand of them, in one step and over a second.
local ran, last = 0, -1
for i = 1, 10000 do
  local due = 1.0 + (i * 7919 % 10000) / 10007 -- between samples, most of them
  sb.after(due, function()
    check.equal(sb.now(), due)
    assert(sb.now() >= last, "time goes on")
    last = sb.now()
    ran = ran + 1
  end)
  sb.after(2.2, function() ran = ran + 1 end)
end
sb.after(2.3, function()
  check.equal(ran, 20000)
  event "twenty thousand"
end)

-- The far end.
check.equal(sb.after(1e7, function() end):cancel(), true)

raises("sb.go needs a function, got nil", function() sb.go() end)
raises("sb.go needs a function, got 3", function() sb.go(3) end)
raises("sb.go needs a function, got a table", function() sb.go(setmetatable({}, { __call = print })) end)
raises("sb.sleep: the time must be a number from 0 to 1e+07 s, got nil", function() sb.sleep() end)
raises("sb.sleep: the time must be a number from 0 to 1e+07 s, got '1'", function() sb.sleep "1" end)
raises("sb.sleep: the time must be a number from 0 to 1e+07 s, got nan", function() sb.sleep(0 / 0) end)
raises("sb.sleep works inside sb.go(function() ... end)", function() sb.sleep(1) end)
raises("sb.after: the time must be a number from 0 to 1e+07 s, got nil", function() sb.after() end)
raises("sb.after: the time must be a number from 0 to 1e+07 s, got inf", function() sb.after(1 / 0, print) end)
raises("sb.after needs a function, got nil", function() sb.after(1) end)
raises("sb.after: the time must be a number from 0 to 1e+07 s, got -1", function() sb.after(-1, print) end)
raises("sb.every: the time must be a number from 0.0001 to 1e+07 s, got 0", function() sb.every(0, print) end)
raises("sb.every needs a function, got nil", function() sb.every(1) end)
raises("timer:cancel needs a Timer before the colon, got nil (write object:method, not object.method)",
  function() over.cancel() end)
raises("timer:cancel needs a Timer before the colon, got a Param (write object:method, not object.method)",
  function() over.cancel(sb.param("p", {})) end)
raises("Timer has no 'stop'", function() over:stop() end)

local updates = 0
function scene.update(dt)
  check.near(dt, 0.01, 1e-12)
  check.near(sb.now(), updates * 0.01, 1e-9)
  updates = updates + 1
  raises("sb.sleep works inside sb.go(function() ... end)", function() sb.sleep(1) end)
end

sb.after(2.5, function()
  expected[#expected + 1] = "twenty thousand"
  check.equal(table.concat(events, ", "), "exact sleeps, cancel, after in after, 120 beats, order, twenty thousand")
  check.equal(#events, #expected)
  check.equal(updates, 251)
  print "done"
end)
-- SPDX-License-Identifier: MIT
