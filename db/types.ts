/** Written by `npm run db:describe` from the migrated database; do not edit. */
import type { ColumnType } from 'kysely';

type Json = ColumnType<unknown, string, string>;
type Numeric = ColumnType<string, string | number, string | number>;
type Optional<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;

export interface AbTest {
  organization_id: string;
  id: string;
  campaign_id: string;
  name: string;
  notes: Optional<string>;
  status: Optional<string>;
  metric: Optional<string>;
  minimum_effect: Optional<Numeric>;
  planned_leads: number | null;
  effect_scale: ColumnType<string | null, string | number | null, string | number | null>;
  started_at: Date | null;
  started_by: string | null;
  stopped_at: Date | null;
  stopped_by: string | null;
  leads: number | null;
  promoted_variant_id: string | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface AbVariant {
  organization_id: string;
  id: string;
  ab_test_id: string;
  position: number;
  name: string;
  share_percent: number;
  groups: ColumnType<unknown, string | null, string | null>;
  groups_from: Optional<string>;
  margin: ColumnType<unknown, string | null, string | null>;
  floor: ColumnType<string | null, string | number | null, string | number | null>;
  price_percent: ColumnType<string | null, string | number | null, string | number | null>;
}

export interface AnswerSample {
  organization_id: string;
  id: string;
  buyer_tier_id: string;
  name: string;
  leg: string;
  answer: Buffer;
  expected: Buffer;
  status: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface ApiCall {
  organization_id: string;
  id: string;
  publisher_tier_id: string;
  lead_id: string | null;
  method: string;
  path: string;
  status_code: number;
  code: string;
  elapsed_ms: number;
  wire: Buffer;
  key_prefix: string | null;
  more: Optional<number>;
}

export interface AppUser {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  password_hash: string | null;
  is_super_admin: Optional<boolean>;
  status: Optional<string>;
  created_at: Optional<Date>;
  email_confirmed_at: Date | null;
  password_changed_at: Date | null;
  mfa_secret: Buffer | null;
  mfa_enabled_at: Date | null;
  mfa_last_step: Optional<number>;
  last_page: ColumnType<unknown, string | null, string | null>;
  reporting_time_zone: string | null;
  credential_epoch: Optional<number>;
  request_mails: Optional<boolean>;
}

export interface Attempt {
  organization_id: string;
  lead_id: string;
  attempt_index: number;
  vertical_id: string;
  buyer_id: string;
  buyer_tier_id: string;
  group_id: string;
  test: boolean;
  leg: string;
  outcome: string;
  answer: string;
  started_at: Date;
  elapsed_ms: number;
  connect_ms: number | null;
  wait_ms: number | null;
  read_ms: number | null;
  bid: ColumnType<string | null, string | number | null, string | number | null>;
  price: ColumnType<string | null, string | number | null, string | number | null>;
  status_code: number | null;
}

export interface AttemptSlot {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string | null;
  publisher_id: string | null;
  publisher_tier_id: string | null;
  variant_id: string | null;
  state: string | null;
  group_id: string | null;
  buyer_id: string | null;
  buyer_tier_id: string | null;
  filter_key: number | null;
  attempts: number;
  sold: number;
  rejected: number;
  terrors: number;
  timeouts: number;
  filtered: number;
  pings: number;
  bids: number;
  wins: number;
  sales: number;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  returned: number;
  returned_revenue: Numeric;
  returned_payout: Numeric;
  returned_margin: Numeric;
  links: number;
  followed: number;
  counting: number;
}

export interface AttemptTally {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string | null;
  publisher_id: string | null;
  publisher_tier_id: string | null;
  variant_id: string | null;
  state: string | null;
  group_id: string | null;
  buyer_id: string | null;
  buyer_tier_id: string | null;
  filter_key: number | null;
  attempts: number;
  sold: number;
  rejected: number;
  terrors: number;
  timeouts: number;
  filtered: number;
  pings: number;
  bids: number;
  wins: number;
  sales: number;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  returned: number;
  returned_revenue: Numeric;
  returned_payout: Numeric;
  returned_margin: Numeric;
  links: number;
  followed: number;
  counting: number;
}

export interface Balance {
  organization_id: string;
  party_kind: string;
  party_id: string;
  amount: Numeric;
}

export interface Bank {
  organization_id: string;
  id: string;
  country: string;
  code: string;
  name: string;
  move: Optional<number>;
  notes: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface BinMove {
  organization_id: string;
  id: string;
  bin_range_id: string;
  campaign_id: string | null;
  publisher_id: string | null;
  combination: ColumnType<number | null, never, never>;
  move: number;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface BinRange {
  organization_id: string;
  id: string;
  first_bin: number;
  last_bin: number;
  digits: number;
  scheme: Optional<string>;
  issuer: Optional<string>;
  type: Optional<string>;
  category: Optional<string>;
  country: Optional<string>;
  width: ColumnType<number | null, never, never>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface Breaker {
  organization_id: string;
  buyer_tier_id: string;
  counted_from: Optional<Date>;
  opened_at: Date | null;
  open_until: Date | null;
  since: Date | null;
  calls: number | null;
  failures: number | null;
  look_back_minutes: number | null;
  failed_probes: Optional<number>;
  told_at: Date | null;
}

export interface BreakerMinute {
  organization_id: string;
  buyer_tier_id: string;
  minute: Date;
  calls: number;
  failures: number;
  slow: Optional<number>;
}

export interface Buyer {
  organization_id: string;
  id: string;
  name: string;
  status: Optional<string>;
  caps: Optional<Json>;
  version: Optional<number>;
  updated_at: Optional<Date>;
  notes: Optional<string>;
  billing: Optional<string>;
  credit_limit: ColumnType<string | null, string | number | null, string | number | null>;
}

export interface BuyerRest {
  organization_id: string;
  buyer_tier_id: string;
  rests_until: Date;
}

export interface BuyerTier {
  organization_id: string;
  id: string;
  buyer_id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  delivery: string;
  price: Json;
  floor: ColumnType<string | null, string | number | null, string | number | null>;
  post_price_rule: Optional<string>;
  quality_factor: Optional<Numeric>;
  filter: ColumnType<unknown, string | null, string | null>;
  hours: ColumnType<unknown, string | null, string | null>;
  pause_dates: ColumnType<unknown, string | null, string | null>;
  caps: Optional<Json>;
  duplicate: ColumnType<unknown, string | null, string | null>;
  time_limit_ms: Optional<number>;
  after_timeout: Optional<string>;
  endpoint: Json;
  secrets: Buffer | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
  third_party: ColumnType<unknown, string | null, string | null>;
  third_party_service_id: ColumnType<string | null, never, never>;
  breaker: ColumnType<unknown, string | null, string | null>;
  notes: Optional<string>;
  return_days: number | null;
  pending_hours: Optional<number>;
  postback_epoch: Optional<number>;
  suppression_lists: Optional<string[]>;
  tell_winning_price: Optional<boolean>;
  throttle: ColumnType<unknown, string | null, string | null>;
  portal_returns: Optional<boolean>;
}

export interface Campaign {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  margin: Json;
  floor: ColumnType<string | null, string | number | null, string | number | null>;
  max_sales: Optional<number>;
  time_limit_ms: Optional<number>;
  test_values: ColumnType<unknown, string | null, string | null>;
  version: Optional<number>;
  updated_at: Optional<Date>;
  notes: Optional<string>;
}

export interface Card {
  organization_id: string;
  id: string;
  vertical_id: string;
  status: Optional<string>;
  name: string;
  title: Optional<string>;
  company: Optional<string>;
  email: Optional<string>;
  phone: Optional<string>;
  website: Optional<string>;
  additional_information: Optional<string>;
  social_media: Optional<Json>;
  design_key: Optional<string>;
  design_color_hash: Optional<string>;
  avatar: Buffer | null;
  avatar_type: string | null;
  avatar_at: Date | null;
  has_lander: Optional<boolean>;
  publisher_tier_id: string | null;
  lander_description: Optional<string>;
  lander_fields: Optional<string[]>;
  consent_text: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface CardDay {
  organization_id: string;
  card_id: string;
  day: Date;
  card_views: Optional<number>;
  lander_views: Optional<number>;
  submissions: Optional<number>;
  sold: Optional<number>;
}

export interface ChangeLog {
  organization_id: string;
  id: string;
  user_id: string;
  user_name: string;
  address: Optional<string>;
  model: string;
  record_id: string;
  record_name: string;
  action: string;
  before: Optional<Json>;
  after: Optional<Json>;
  rolls_back: string | null;
}

export interface ChangeRequest {
  organization_id: string;
  id: string;
  buyer_id: string | null;
  publisher_id: string | null;
  model: string;
  record_id: string;
  record_name: string;
  sale_index: number | null;
  vertical_id: string | null;
  before: Json;
  after: Json;
  note: Optional<string>;
  status: Optional<string>;
  asked_by: string;
  asked_by_name: string;
  decided_by: string | null;
  decided_by_name: string | null;
  decided_at: Date | null;
  answer: Optional<string>;
  told_at: Date | null;
}

export interface ChangeSeal {
  organization_id: string;
  seal_no: number;
  through_id: string;
  entries: number;
  digest: string;
  sealed_at: Optional<Date>;
}

export interface Contact {
  organization_id: string;
  id: string;
  publisher_id: string | null;
  buyer_id: string | null;
  first_name: string;
  last_name: Optional<string>;
  job: Optional<string>;
  email: Optional<string>;
  phone: Optional<string>;
  notes: Optional<string>;
  status: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface Counter {
  organization_id: string;
  counter: string;
  scope_id: string;
  measure: string;
  period: string;
  used: Optional<number>;
  resets_at: Date | null;
}

export interface DefaultView {
  organization_id: string;
  user_id: string;
  vertical_id: string;
  page: string;
  view_id: string;
}

export interface DemoWorld {
  only_one: Optional<boolean>;
  organization_ids: string[];
  market_port: number;
  market_seed: number;
  started_at: Optional<Date>;
  finished_at: Date | null;
}

export interface DuplicateClaim {
  organization_id: string;
  scope_id: string;
  fingerprint: string;
  lead_id: string;
  claimed_at: Date;
}

export interface EligibilityToken {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  token_hash: Buffer;
  publisher_tier_ids: string[];
  created_by: string;
  created_at: Optional<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  used_at: Date | null;
}

export interface EntryCall {
  organization_id: string;
  call_key: string;
  asked: Json;
  entered_at: Date;
}

export interface ErasedPerson {
  organization_id: string;
  value_hash: string;
  erasure_id: string;
}

export interface Erasure {
  organization_id: string;
  id: string;
  kind: string;
  asked_at: Date;
  value_hashes: string[];
  lead_ids: string[];
  vertical_ids: string[];
  person_hashes: string[];
  again_at: Date | null;
}

export interface ExportFeed {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  schedule: Json;
  content: Json;
  destination: Json;
  secrets: Buffer | null;
  send_empty: Optional<boolean>;
  send_changes: Optional<boolean>;
  notes: Optional<string>;
  secret_epoch: Optional<number>;
  covered_to: Optional<Date>;
  began_at: Optional<Date>;
  failing_since: Date | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface ExportFile {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  format: string;
  row_count: Optional<number>;
  byte_count: Optional<number>;
  unmasked: boolean;
  created_at: Optional<Date>;
  whole_at: Date | null;
  kept_until: Date;
  erased_at: Date | null;
}

export interface ExportHeldOver {
  organization_id: string;
  feed_id: string;
  lead_id: string;
  missed_run: string;
  taken_run: string | null;
  taken_at: Date | null;
}

export interface ExportPart {
  organization_id: string;
  file_id: string;
  part: number;
  body: Buffer;
  lead_ids: string[];
  kept_until: Date;
}

export interface ExportRun {
  organization_id: string;
  id: string;
  feed_id: string;
  from_at: Date;
  to_at: Date;
  state: Optional<string>;
  is_built: Optional<boolean>;
  was_built: Optional<boolean>;
  due_at: Date;
  tries: Optional<number>;
  taken_until: Date | null;
  place: Optional<Json>;
  row_count: Optional<number>;
  byte_count: Optional<number>;
  created_at: Optional<Date>;
  last_at: Date | null;
  ended_at: Date | null;
  elapsed_ms: number | null;
  failure: string | null;
  remark: string | null;
}

export interface Field {
  organization_id: string;
  id: string;
  vertical_id: string;
  position: number;
  field_name: string;
  field_human_name: string;
  type: string;
  required: Optional<boolean>;
  min_char: number | null;
  max_char: number | null;
  min_value: ColumnType<string | null, string | number | null, string | number | null>;
  max_value: ColumnType<string | null, string | number | null, string | number | null>;
  pattern: string | null;
  options: string[] | null;
  privacy_class: string;
  in_ping: Optional<boolean>;
  searchable: Optional<boolean>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface FormerSubDomain {
  sub_domain: string;
  held_for: string;
  given_up_at: Optional<Date>;
}

export interface GroupMember {
  organization_id: string;
  group_id: string;
  buyer_tier_id: string;
  position: number;
  weight: number | null;
}

export interface GroupTurn {
  organization_id: string;
  group_id: string;
  buyer_tier_id: string;
  turns: Optional<number>;
  last_turn_at: Date;
}

export interface HeldReference {
  organization_id: string;
  buyer_tier_id: string;
  reference: string;
  lead_id: string;
}

export interface HelpEntry {
  kind: string;
  key: string;
  tags: Optional<string[]>;
  body: Json;
  version: number;
  is_removed: Optional<boolean>;
  shipped: ColumnType<unknown, string | null, string | null>;
  is_own: boolean;
  changed_at: Optional<Date>;
  changed_by: string;
}

export interface HelpVersion {
  kind: string;
  key: string;
  version: number;
  tags: string[];
  body: Json;
  is_removed: boolean;
  changed_at: Date;
  changed_by: string;
}

export interface Idempotency {
  organization_id: string;
  publisher_tier_id: string;
  fingerprint: string;
  payload_hash: string;
  lead_id: string;
  expires_at: Date;
}

export interface Job {
  organization_id: string;
  id: string;
  kind: string;
  status: Optional<string>;
  name: string;
  subject_id: string | null;
  settings: Json;
  person_id: string;
  parts: Optional<number>;
  bytes: Optional<number>;
  place: Optional<Json>;
  bytes_done: Optional<number>;
  rows_done: Optional<number>;
  tally: Optional<Json>;
  error_count: Optional<number>;
  failure: string | null;
  created_at: Optional<Date>;
  started_at: Date | null;
  ended_at: Date | null;
  lease_holder: string | null;
  lease_until: Date | null;
  heard_at: Optional<Date>;
}

export interface JobError {
  organization_id: string;
  job_id: string;
  line: number;
  message: string;
}

export interface JobPart {
  organization_id: string;
  job_id: string;
  part: number;
  body: Buffer;
}

export interface LandingPage {
  organization_id: string;
  id: string;
  vertical_id: string;
  publisher_tier_id: string;
  status: Optional<string>;
  name: string;
  url: string;
  notes: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface LateAnswer {
  organization_id: string;
  lead_id: string;
  attempt_index: number;
  buyer_tier_id: string;
  outcome: string;
  price: ColumnType<string | null, string | number | null, string | number | null>;
  after_ms: number;
  wire: Buffer;
  arrived_at: Date;
}

export interface LatencySlot {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string | null;
  publisher_id: string | null;
  publisher_tier_id: string | null;
  variant_id: string | null;
  state: string | null;
  group_id: string | null;
  buyer_id: string | null;
  buyer_tier_id: string | null;
  leg: string;
  buckets: number[];
  calls: number[];
  sold: number[];
  timeouts: number[];
  terrors: number[];
  revenue: Numeric[];
}

export interface LatencyTally {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string | null;
  publisher_id: string | null;
  publisher_tier_id: string | null;
  variant_id: string | null;
  state: string | null;
  group_id: string | null;
  buyer_id: string | null;
  buyer_tier_id: string | null;
  leg: string;
  buckets: number[];
  calls: number[];
  sold: number[];
  timeouts: number[];
  terrors: number[];
  revenue: Numeric[];
}

export interface Lead {
  organization_id: string;
  id: string;
  region_id: string;
  vertical_id: string;
  campaign_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  sub_id: string;
  mode: string;
  test: boolean;
  ping_id: string | null;
  node_id: string;
  fields: Buffer;
  state: Optional<string>;
}

export interface LeadLookup {
  organization_id: string;
  value_hash: string;
  lead_id: string;
}

export interface LeadPage {
  organization_id: string;
  lead_id: string;
  page_id: string;
}

export interface LeadResult {
  organization_id: string;
  lead_id: string;
  vertical_id: string;
  campaign_id: string;
  publisher_tier_id: string;
  test: boolean;
  status: string;
  reason: string | null;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  sale_count: number;
  attempt_count: number;
  duplicate_of: string | null;
  elapsed_ms: number;
  buyers_ms: number;
  store_ms: number;
  finished_at: Date;
  verdicts: Json;
  explained: Buffer;
  wires: Buffer | null;
}

export interface LeadReturn {
  organization_id: string;
  lead_id: string;
  sale_index: number;
  vertical_id: string;
  buyer_id: string;
  buyer_tier_id: string;
  publisher_id: string;
  reason: string;
  note: Optional<string>;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  via: string;
  user_id: string | null;
  user_name: string | null;
  returned_at: Date;
}

export interface LeadSlot {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  sub_id: string | null;
  variant_id: string | null;
  state: string | null;
  reason: string | null;
  attempts: number;
  sold: number;
  rejected: number;
  terrors: number;
  timeouts: number;
  filtered: number;
  open: number;
  pings: number;
  bids: number;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  returned: number;
  returned_revenue: Numeric;
  returned_payout: Numeric;
  returned_margin: Numeric;
  counting: number;
}

export interface LeadTally {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  campaign_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  sub_id: string | null;
  variant_id: string | null;
  state: string | null;
  reason: string | null;
  attempts: number;
  sold: number;
  rejected: number;
  terrors: number;
  timeouts: number;
  filtered: number;
  open: number;
  pings: number;
  bids: number;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  returned: number;
  returned_revenue: Numeric;
  returned_payout: Numeric;
  returned_margin: Numeric;
  counting: number;
}

export interface LeadVariant {
  organization_id: string;
  lead_id: string;
  ab_test_id: string;
  variant_id: string;
  consumer: string;
}

export interface LedgerEntry {
  organization_id: string;
  id: string;
  party_kind: string;
  party_id: string;
  kind: string;
  amount: Numeric;
  vertical_id: string | null;
  tier_id: string | null;
  lead_id: string | null;
  sale_index: number | null;
  note: Optional<string>;
  user_id: string | null;
  user_name: string | null;
}

export interface LossNotice {
  organization_id: string;
  lead_id: string;
  buyer_tier_id: string;
  group_id: string;
  vertical_id: string;
  bid: ColumnType<string | null, string | number | null, string | number | null>;
  winning: Numeric;
  due_at: Date;
  outcome: string | null;
  started_at: Date | null;
  elapsed_ms: number | null;
  connect_ms: number | null;
  wait_ms: number | null;
  read_ms: number | null;
  status_code: number | null;
  wire: Buffer | null;
}

export interface Mail {
  id: string;
  kind: string;
  recipient: string;
  content: Buffer | null;
  created_at: Optional<Date>;
  send_after: Optional<Date>;
  tries: Optional<number>;
  sent_at: Date | null;
  gave_up_at: Date | null;
}

export interface Migration {
  name: string;
  checksum: string;
  applied_at: Optional<Date>;
}

export interface Node {
  id: string;
  started_at: Optional<Date>;
  seen_at: Optional<Date>;
  last_migration: Optional<string>;
  version: Optional<string>;
  host: Optional<string>;
  leads_ended: Optional<number>;
  leads_under_way: Optional<number>;
}

export interface OneTimeToken {
  token_hash: Buffer;
  purpose: string;
  user_id: string;
  organization_id: string | null;
  team_member_id: string | null;
  created_at: Optional<Date>;
  expires_at: Date;
  used_at: Date | null;
  credential_epoch: number | null;
  session_id: string | null;
  session_expires_at: Date | null;
  proof: Optional<Json>;
}

export interface Organization {
  id: string;
  name: string;
  sub_domain: string;
  time_zone: Optional<string>;
  currency: Optional<string>;
  status: Optional<string>;
  data_key: Buffer;
  configuration_version: Optional<number>;
  created_at: Optional<Date>;
  legal_footer: Optional<string>;
  logo: Buffer | null;
  logo_type: string | null;
  light_logo: Buffer | null;
  light_logo_type: string | null;
  restricted_user_ids: Optional<string[]>;
  preferences: Optional<Json>;
  logo_version: ColumnType<string | null, never, never>;
  light_logo_version: ColumnType<string | null, never, never>;
  return_reasons: Optional<string[]>;
  return_days: Optional<number>;
  refuses_erased: Optional<boolean>;
}

export interface OrganizationKey {
  organization_id: string;
  id: string;
  name: string;
  key_hash: Buffer;
  hint: string;
  created_at: Optional<Date>;
  revoked_at: Date | null;
}

export interface PageHour {
  organization_id: string;
  page_id: string;
  hour_at: Date;
  views: Optional<number>;
  submits: Optional<number>;
}

export interface PageTally {
  organization_id: string;
  vertical_id: string;
  grain: string;
  cube: string;
  hour_id: string;
  row_number: number;
  page_id: string;
  views: number;
  submits: number;
  leads: number;
  sold: number;
}

export interface Payment {
  organization_id: string;
  id: string;
  vertical_id: string;
  processor_id: string;
  transaction_hash: string;
  transaction_id: string;
  attempted_at: Date;
  result: string;
  amount: Numeric;
  refunded: ColumnType<string | null, string | number | null, string | number | null>;
  charged_back: ColumnType<string | null, string | number | null, string | number | null>;
  currency: string;
  reason: Optional<string>;
  bin: Optional<string>;
  move: Optional<number>;
  lead_id: string | null;
  test: Optional<boolean>;
  campaign_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  buyer_id: string;
  buyer_tier_id: string;
}

export interface PaymentHour {
  organization_id: string;
  vertical_id: string;
  cube: string;
  hour_at: Date;
  processor_id: string;
  move: number;
  bin: string;
  reason: string;
  campaign_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  buyer_id: string;
  buyer_tier_id: string;
  currency: string;
  attempts: number;
  approved: number;
  declined: number;
  refunds: number;
  chargebacks: number;
  approved_sum: Numeric;
  refunded_sum: Numeric;
  charged_back_sum: Numeric;
}

export interface PaymentProcessor {
  organization_id: string;
  id: string;
  vertical_id: string;
  status: Optional<string>;
  name: string;
  notes: Optional<string>;
  postback_epoch: Optional<number>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface PaymentReport {
  organization_id: string;
  payment_id: string;
  report_index: number;
  result: string;
  amount: ColumnType<string | null, string | number | null, string | number | null>;
  reason: Optional<string>;
  happened_at: Date | null;
  received_at: Date;
  currency: string | null;
}

export interface PostingKey {
  organization_id: string;
  id: string;
  publisher_tier_id: string;
  key_hash: Buffer;
  prefix: string;
  created_at: Optional<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface Promotion {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  notes: Optional<string>;
  target: Json;
  publisher_tier_id: ColumnType<string | null, never, never>;
  publisher_id: ColumnType<string | null, never, never>;
  campaign_id: ColumnType<string | null, never, never>;
  raise: Json;
  from_on: string;
  to_on: string | null;
  time_zone: string;
  hours: ColumnType<unknown, string | null, string | null>;
  lead_cap: number | null;
  money_cap: ColumnType<string | null, string | number | null, string | number | null>;
  below_margin: Optional<boolean>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface PromotionSale {
  organization_id: string;
  lead_id: string;
  sale_index: number;
  promotion_id: string;
  extra: Numeric;
}

export interface Publisher {
  organization_id: string;
  id: string;
  name: string;
  affiliate_id: string;
  status: Optional<string>;
  version: Optional<number>;
  updated_at: Optional<Date>;
  notes: Optional<string>;
}

export interface PublisherTier {
  organization_id: string;
  id: string;
  publisher_id: string;
  campaign_id: string;
  name: string;
  sub_id: Optional<string>;
  status: Optional<string>;
  price_model: Json;
  filter: ColumnType<unknown, string | null, string | null>;
  hours: ColumnType<unknown, string | null, string | null>;
  pause_dates: ColumnType<unknown, string | null, string | null>;
  caps: Optional<Json>;
  duplicate: ColumnType<unknown, string | null, string | null>;
  ip_allow: Optional<string[]>;
  terse: Optional<boolean>;
  always_200: Optional<boolean>;
  pings_per_minute: number | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
  p2c: ColumnType<unknown, string | null, string | null>;
  p2c_service_id: ColumnType<string | null, never, never>;
  notes: Optional<string>;
  returns_reduce_payout: Optional<boolean>;
  suppression_lists: Optional<string[]>;
  raw_redirect: Optional<boolean>;
  spec_open: Optional<boolean>;
  spec_epoch: Optional<number>;
  kind: Optional<string>;
}

export interface RecoveryCode {
  user_id: string;
  code_hash: Buffer;
  used_at: Date | null;
}

export interface Redirect {
  organization_id: string;
  lead_id: string;
  sale_index: number;
  vertical_id: string;
  publisher_id: string;
  publisher_tier_id: string;
  buyer_id: string;
  buyer_tier_id: string;
  given_at: Date;
  expires_at: Date;
  url: Buffer;
  followed_at: Date | null;
  follows: Optional<number>;
}

export interface RefusedPostback {
  organization_id: string;
  lead_id: string;
  buyer_tier_id: string;
  price: ColumnType<string | null, string | number | null, string | number | null>;
  why: string;
  said_at: Date;
}

export interface Region {
  organization_id: string;
  id: string;
  slug: string;
  name: string;
  country: string;
  version: Optional<number>;
  updated_at: Optional<Date>;
  status: Optional<string>;
}

export interface Replay {
  organization_id: string;
  id: string;
  vertical_id: string;
  campaign_id: string;
  person_id: string;
  status: Optional<string>;
  settings: Json;
  published: Json;
  changed: Json;
  total: Optional<number>;
  done: Optional<number>;
  result: ColumnType<unknown, string | null, string | null>;
  failure: string | null;
  lease_holder: string | null;
  lease_until: Date | null;
  created_at: Optional<Date>;
  started_at: Date | null;
  ended_at: Date | null;
  lost: Optional<number>;
}

export interface ReportMark {
  organization_id: string;
  hour_id: string;
  id: string;
  marked_at: Optional<Date>;
}

export interface ReportProgress {
  organization_id: string;
  rolled_before: string;
}

export interface ReportSlotMark {
  organization_id: string;
  slot_id: string;
  id: string;
}

export interface ReportSlotProgress {
  organization_id: string;
  from_id: string;
  before_id: string;
}

export interface ReportSlots {
  organization_id: string;
  from_id: string;
  before_id: string;
}

export interface ReportWeek {
  organization_id: string;
  week_id: string;
  is_kept: boolean;
  changed_at: Date;
}

export interface Reservation {
  organization_id: string;
  lead_id: string;
  subject_id: string;
  purpose: string;
  node_id: string;
  claims: Optional<Json>;
  fingerprints: Optional<string[]>;
  reserved_at: Date;
  unknown_since: Date | null;
}

export interface Retention {
  organization_id: string;
  id: string;
  vertical_id: string;
  unsold_days: number | null;
  sold_days: number | null;
  wire_days: number | null;
  on_hold: Optional<boolean>;
  hold_reason: Optional<string>;
  unsold_after: Optional<string>;
  sold_after: Optional<string>;
  wires_after: Optional<string>;
  erased_leads: Optional<number>;
  emptied_leads: Optional<number>;
  untold: Optional<Json>;
  ran_at: Date | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
  calls_after: Optional<string>;
  emptied_calls: Optional<number>;
}

export interface ReturnKey {
  organization_id: string;
  id: string;
  buyer_id: string;
  key_hash: Buffer;
  prefix: string;
  created_at: Optional<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface Sale {
  organization_id: string;
  lead_id: string;
  sale_index: number;
  vertical_id: string;
  buyer_id: string;
  buyer_tier_id: string;
  publisher_id: string;
  test: boolean;
  revenue: Numeric;
  payout: Numeric;
  margin: Numeric;
  bid: ColumnType<string | null, string | number | null, string | number | null>;
  post_price_differs: boolean;
  buyer_ref: string | null;
}

export interface SampleLead {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  fields: Buffer;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface SavedView {
  organization_id: string;
  id: string;
  vertical_id: string;
  page: string;
  user_id: string;
  user_name: string;
  name: string;
  search: Json;
  shared: Optional<boolean>;
  removed_at: Date | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface SecurityLog {
  organization_id: string;
  id: string;
  user_id: string | null;
  user_name: string;
  by_user_id: string | null;
  by_name: string | null;
  kind: string;
  outcome: string;
  factors: Optional<string>;
  network: string;
  device: string;
  method: string;
  route: string;
  status_code: number;
  code: Optional<string>;
  more: Optional<number>;
}

export interface Service {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  notes: Optional<string>;
  endpoint: Json;
  secrets: Buffer | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface ServiceCall {
  organization_id: string;
  lead_id: string;
  call_index: number;
  vertical_id: string;
  service_id: string;
  purpose: string;
  subject_id: string;
  test: boolean;
  outcome: string;
  started_at: Date;
  elapsed_ms: number;
  connect_ms: number | null;
  wait_ms: number | null;
  read_ms: number | null;
  status_code: number | null;
  wire: Buffer;
}

export interface Session {
  token_hash: Buffer;
  user_id: string;
  organization_id: string | null;
  created_at: Optional<Date>;
  seen_at: Optional<Date>;
  expires_at: Date;
  id: Optional<string>;
  stage: Optional<string>;
  address: Optional<string>;
  user_agent: Optional<string>;
  credential_epoch: Optional<number>;
  proof: Optional<Json>;
}

export interface Settlement {
  organization_id: string;
  lead_id: string;
  buyer_tier_id: string;
  outcome: string;
  price: ColumnType<string | null, string | number | null, string | number | null>;
  via: string;
  user_id: string | null;
  user_name: string | null;
  settled_at: Date;
}

export interface SimulatedAnswer {
  organization_id: string;
  buyer_tier_id: string;
  says: string;
  price: ColumnType<string | null, string | number | null, string | number | null>;
}

export interface SuppressionEntry {
  organization_id: string;
  list_id: string;
  value_hash: string;
  generation: number;
  expires_at: Date | null;
}

export interface SuppressionList {
  organization_id: string;
  id: string;
  name: string;
  status: Optional<string>;
  holds: string;
  field_name: string | null;
  form: Optional<string>;
  country: Optional<string>;
  entry_days: number | null;
  notes: Optional<string>;
  entry_count: Optional<number>;
  generation: Optional<number>;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface TeamMember {
  organization_id: string;
  id: string;
  user_id: string;
  role: string;
  status: Optional<string>;
  permissions: Optional<Json>;
  created_at: Optional<Date>;
  invited_by: string | null;
  invited_at: Date | null;
  answered_at: Date | null;
  seen_at: Date | null;
  invited_email: string | null;
  invited_first_name: Optional<string>;
  invited_last_name: Optional<string>;
  buyer_id: string | null;
  publisher_id: string | null;
}

export interface Throttle {
  name: string;
  window_start: Date;
  count: number;
  before: Optional<number>;
  ends_at: Date;
}

export interface ThrottledTier {
  organization_id: string;
  buyer_tier_id: string;
  since: Date;
  calls: number;
  failures: number;
  slow: number;
  look_back_minutes: number;
}

export interface TreeDraft {
  organization_id: string;
  campaign_id: string;
  groups: Json;
  version: Optional<number>;
  updated_at: Optional<Date>;
  updated_by: string;
}

export interface TreeGroup {
  organization_id: string;
  id: string;
  campaign_id: string;
  position: number;
  name: string;
  mode: string;
  time_limit_ms: number | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface TreeVersion {
  organization_id: string;
  id: string;
  campaign_id: string;
  groups: Json;
  published_by: string;
  note: Optional<string>;
}

export interface UnmappedValue {
  organization_id: string;
  buyer_tier_id: string;
  target: string;
  sends: number;
  since: Date;
  last_at: Date;
}

export interface Vertical {
  organization_id: string;
  id: string;
  region_id: string;
  slug: string;
  uid: string;
  name: string;
  primary_field: string;
  version: Optional<number>;
  updated_at: Optional<Date>;
  status: Optional<string>;
}

export interface Webhook {
  organization_id: string;
  id: string;
  vertical_id: string;
  name: string;
  status: Optional<string>;
  url: string;
  events: string[];
  notes: Optional<string>;
  secret_epoch: Optional<number>;
  failing_since: Date | null;
  version: Optional<number>;
  updated_at: Optional<Date>;
}

export interface WebhookCall {
  organization_id: string;
  id: string;
  webhook_id: string;
  lead_id: string;
  event: string;
  made_at: Date;
  state: Optional<string>;
  due_at: Date;
  tries: Optional<number>;
  last_at: Date | null;
  status_code: number | null;
  failure: string | null;
  elapsed_ms: number | null;
  taken_until: Date | null;
}

export interface Database {
  ab_test: AbTest;
  ab_variant: AbVariant;
  answer_sample: AnswerSample;
  api_call: ApiCall;
  app_user: AppUser;
  attempt: Attempt;
  attempt_slot: AttemptSlot;
  attempt_tally: AttemptTally;
  balance: Balance;
  bank: Bank;
  bin_move: BinMove;
  bin_range: BinRange;
  breaker: Breaker;
  breaker_minute: BreakerMinute;
  buyer: Buyer;
  buyer_rest: BuyerRest;
  buyer_tier: BuyerTier;
  campaign: Campaign;
  card: Card;
  card_day: CardDay;
  change_log: ChangeLog;
  change_request: ChangeRequest;
  change_seal: ChangeSeal;
  contact: Contact;
  counter: Counter;
  default_view: DefaultView;
  demo_world: DemoWorld;
  duplicate_claim: DuplicateClaim;
  eligibility_token: EligibilityToken;
  entry_call: EntryCall;
  erased_person: ErasedPerson;
  erasure: Erasure;
  export_feed: ExportFeed;
  export_file: ExportFile;
  export_held_over: ExportHeldOver;
  export_part: ExportPart;
  export_run: ExportRun;
  field: Field;
  former_sub_domain: FormerSubDomain;
  group_member: GroupMember;
  group_turn: GroupTurn;
  held_reference: HeldReference;
  help_entry: HelpEntry;
  help_version: HelpVersion;
  idempotency: Idempotency;
  job: Job;
  job_error: JobError;
  job_part: JobPart;
  landing_page: LandingPage;
  late_answer: LateAnswer;
  latency_slot: LatencySlot;
  latency_tally: LatencyTally;
  lead: Lead;
  lead_lookup: LeadLookup;
  lead_page: LeadPage;
  lead_result: LeadResult;
  lead_return: LeadReturn;
  lead_slot: LeadSlot;
  lead_tally: LeadTally;
  lead_variant: LeadVariant;
  ledger_entry: LedgerEntry;
  loss_notice: LossNotice;
  mail: Mail;
  migration: Migration;
  node: Node;
  one_time_token: OneTimeToken;
  organization: Organization;
  organization_key: OrganizationKey;
  page_hour: PageHour;
  page_tally: PageTally;
  payment: Payment;
  payment_hour: PaymentHour;
  payment_processor: PaymentProcessor;
  payment_report: PaymentReport;
  posting_key: PostingKey;
  promotion: Promotion;
  promotion_sale: PromotionSale;
  publisher: Publisher;
  publisher_tier: PublisherTier;
  recovery_code: RecoveryCode;
  redirect: Redirect;
  refused_postback: RefusedPostback;
  region: Region;
  replay: Replay;
  report_mark: ReportMark;
  report_progress: ReportProgress;
  report_slot_mark: ReportSlotMark;
  report_slot_progress: ReportSlotProgress;
  report_slots: ReportSlots;
  report_week: ReportWeek;
  reservation: Reservation;
  retention: Retention;
  return_key: ReturnKey;
  sale: Sale;
  sample_lead: SampleLead;
  saved_view: SavedView;
  security_log: SecurityLog;
  service: Service;
  service_call: ServiceCall;
  session: Session;
  settlement: Settlement;
  simulated_answer: SimulatedAnswer;
  suppression_entry: SuppressionEntry;
  suppression_list: SuppressionList;
  team_member: TeamMember;
  throttle: Throttle;
  throttled_tier: ThrottledTier;
  tree_draft: TreeDraft;
  tree_group: TreeGroup;
  tree_version: TreeVersion;
  unmapped_value: UnmappedValue;
  vertical: Vertical;
  webhook: Webhook;
  webhook_call: WebhookCall;
}
