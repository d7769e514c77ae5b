-- A loop without end, by goto.
-- Phases: load, update, coroutine, reload.
::again:: goto again
