-- Steps, sources and activity of messages that are being streamed: {steps, sources, activity}.
alter table streaming_messages add column progress jsonb;
