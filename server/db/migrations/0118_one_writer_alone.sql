-- No version since the functions of 0097 calls these: messages are written by `write_messages`, other events by `append_event_for`.
drop function append_event(uuid, bigint, uuid, text, uuid, text, bigint, boolean, text, text[], boolean, text[], uuid);
drop function send_messages(bigint, bigint, integer, uuid[], bigint[], integer[], integer[], integer[], uuid[], text[], text[], text[],
  text[], text[], text[], text[], text[], text[], uuid[], text[], text[]);
drop function send_in_organization(uuid, bigint, bigint, bigint, integer, uuid[], text[], text[], text[], text[], text[], text[], text[],
  text[], text[], uuid[], text[], text[]);
