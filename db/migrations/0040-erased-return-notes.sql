-- What was written beside a return is of its consumer, and goes with them.
grant update (note) on lead_return to sluice_tenant;

-- Lines of the change log stay as they were written (0039), but for the note of a return: this empties those of one lead of the organization that asks, and nothing else.
create function forget_return_notes(p_lead uuid) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update change_log set after = after || '{"note": "•••"}'
    where organization_id = current_setting('sluice.organization')::uuid and record_id = p_lead and model = 'leadReturn' and after ->> 'note' <> '';
$$;
revoke execute on function forget_return_notes(uuid) from public;
grant execute on function forget_return_notes(uuid) to sluice_tenant;

-- What was asked for and decided of a lead's sales.
create index change_request_of_return on change_request (organization_id, record_id) where model = 'leadReturn';

-- Sums that came to nothing stood for words of payments, which may have been those of somebody who was erased since.
delete from payment_hour where attempts = 0;
