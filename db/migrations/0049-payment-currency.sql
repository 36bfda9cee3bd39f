-- What was reported of a payment is in a currency of its own: which one stands follows from when it happened, not from when it came.
-- Null where none was said: the payment's.
alter table payment_report add column currency text check (currency ~ '^[A-Z]{3}$');
