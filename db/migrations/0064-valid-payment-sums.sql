-- Apart from 0063, so that payments are counted meanwhile.
alter table payment_hour validate constraint payment_hour_cube_check;
