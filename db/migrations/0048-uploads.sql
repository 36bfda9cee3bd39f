-- Uploads are limited by how much of them an organization has lying here at once, and one of which nothing more comes ends.

-- When something of what is handed in came last. While it comes, `bytes` is what is there of it.
alter table job add column heard_at timestamptz not null default now();

drop index job_open;
create index job_open on job (organization_id, id) where status in ('receiving', 'waiting', 'running');
