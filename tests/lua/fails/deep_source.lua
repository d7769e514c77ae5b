-- fails: C stack overflow
return assert(load("return " .. ("("):rep(100000) .. "1" .. (")"):rep(100000)))()
