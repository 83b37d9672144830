-- Versions from before audience_blocks read this view; no version that can run beside this one does.
drop view event_audience;
