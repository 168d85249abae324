-- Who may use the admin API. Passwords, tokens and sessions are kept as hashes only.

create table users (
    name                 text collate "C" primary key,
    role                 text        not null,
    password_hash        text        not null,
    must_change_password boolean     not null default false,
    disabled             boolean     not null default false,
    created_at           timestamptz not null default now(),
    password_changed_at  timestamptz not null default now(),
    last_login_at        timestamptz
);

create table sessions (
    key          bytea primary key,
    user_name    text collate "C" not null references users (name) on delete cascade,
    address      text        not null,
    created_at   timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index sessions_user_name on sessions (user_name, created_at);
create index sessions_expires_at on sessions (expires_at);

create table api_tokens (
    name         text collate "C" primary key,
    key          bytea       not null unique,
    role         text        not null,
    kinds        text[]      not null default '{}',
    labels       jsonb       not null default '{}',
    created_at   timestamptz not null default now(),
    created_by   text        not null,
    expires_at   timestamptz,
    last_used_at timestamptz
);
