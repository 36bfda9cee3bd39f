-- What was done stays said: on behalf of an organization lines of the change log are written and read, never changed or taken away.
revoke update, delete on change_log from sluice_tenant;
