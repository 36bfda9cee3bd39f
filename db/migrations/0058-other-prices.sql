-- Sales at another price than the buyer had bid: the leads list is narrowed to them, and Outbound tells them by buyer tier. They are few of all sales.
create index sale_other_price on sale (organization_id, vertical_id, lead_id) include (buyer_tier_id, bid, revenue, test)
  where post_price_differs and revenue <> bid;
create index sale_other_price_tier on sale (organization_id, buyer_tier_id, lead_id) where post_price_differs and revenue <> bid;
