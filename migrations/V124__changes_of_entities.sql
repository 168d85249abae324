-- What happened to one resource: revisions are listed by it, and it is rolled back by itself, without looking at what happened to the
-- others.

create index revision_changes_entity on revision_changes (kind, id, revision);
