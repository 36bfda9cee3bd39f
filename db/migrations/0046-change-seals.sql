-- The change log is sealed hour by hour: each seal is a keyed hash over the lines of an hour and the seal before it, so that a line that was changed,
-- taken away or put in later shows, whoever did it in the database. The key is not in the database.

create table change_seal (
  organization_id uuid not null,
  -- From 1, without a gap.
  seal_no int not null check (seal_no > 0),
  -- It stands for the lines before this id that the seal before it does not stand for.
  through_id uuid not null,
  entries int not null,
  digest uuid not null,
  sealed_at timestamptz not null default now(),
  primary key (organization_id, seal_no)
);
select wall_off('change_seal');
revoke insert, update, delete on change_seal from sluice_tenant;

-- How many lines of [p_from, p_to) there are, and one hash over them in their order. The note of a return may be emptied later (0040), and is left out.
create function hash_changes(p_org uuid, p_from uuid, p_to uuid, out entries int, out hash text) language sql stable as $$
  select count(*)::int, encode(sha256(convert_to(coalesce(string_agg(encode(sha256(convert_to(line, 'UTF8')), 'hex'), '' order by id), ''), 'UTF8')), 'hex')
    from (select c.id, jsonb_build_array(c.id, c.user_id, c.user_name, c.address, c.model, c.record_id, c.record_name, c.action, c.before,
        case when c.model = 'leadReturn' then c.after - 'note' else c.after end, c.rolls_back)::text as line
      from change_log c where c.organization_id = p_org and c.id >= p_from and c.id < p_to) as lines
$$;
