-- Console §5: pictures may be jpg, jpeg, gif, png or bmp; WebP stays welcome.
alter table organization
  drop constraint organization_logo_type_check,
  drop constraint organization_light_logo_type_check,
  add constraint organization_logo_type_check check (logo_type in ('image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp')),
  add constraint organization_light_logo_type_check check (light_logo_type in ('image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp'));
