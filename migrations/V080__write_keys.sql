-- What a client asked for under its own key, whose digest tells a repeated request from another one with the same key.
-- `write_id` is made from the key; revisions written without one, and all before this, have no digest.
alter table revisions add column request_digest text;
