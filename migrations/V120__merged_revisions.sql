-- Of old revisions only some are kept. `since` is the revision that the changes of such a one start from; null for the one
-- before it.
alter table revisions add column since bigint;
