/** Who can sign in to the demo world; all with one password, none of them real. */
import type { Place } from './world.ts';

export const DEMO_PASSWORD = 'Sluice-demo-1';

export interface WorldPerson {
  email: string;
  firstName: string;
  lastName: string;
  label: string;
  isSuperAdmin?: boolean;
  organization: 'acme' | 'brightside';
  role: 'owner' | 'member';
  /** Pages by vertical, for a member. */
  pages?: Partial<Record<Place, string[]>>;
  /** The company whose portal is all they see, by its name. */
  bound?: { kind: 'buyer' | 'publisher'; name: string };
}

export const people: WorldPerson[] = [
  {
    email: 'owner@acme.example',
    firstName: 'Dana',
    lastName: 'Whitfield',
    label: 'Owner of Acme Leads',
    organization: 'acme',
    role: 'owner',
  },
  {
    email: 'ops@acme.example',
    firstName: 'Marcus',
    lastName: 'Oyelaran',
    label: 'Member of Acme Leads, some pages of two verticals',
    organization: 'acme',
    role: 'member',
    pages: {
      'us/payday': [
        'overview',
        'leadFlow-Inbound',
        'leadFlow-Outbound',
        'leadFlow-ReasonReport',
        'buyer-timeout-track',
        'serverLogs',
        'setup',
      ],
      'us/auto': ['overview', 'leadFlow-Inbound', 'leadFlow-Trending'],
    },
  },
  {
    email: 'desk@northgate.example',
    firstName: 'Priya',
    lastName: 'Raman',
    label: 'Portal of a buyer, Northgate Lending',
    organization: 'acme',
    role: 'member',
    bound: { kind: 'buyer', name: 'Northgate Lending' },
  },
  {
    email: 'traffic@cashbridge.example',
    firstName: 'Leon',
    lastName: 'Fischer',
    label: 'Portal of a publisher, CashBridge Media',
    organization: 'acme',
    role: 'member',
    bound: { kind: 'publisher', name: 'CashBridge Media' },
  },
  {
    email: 'owner@brightside.example',
    firstName: 'Imogen',
    lastName: 'Hartley',
    label: 'Owner of Brightside Media',
    organization: 'brightside',
    role: 'owner',
  },
  {
    email: 'admin@sluice.example',
    firstName: 'Robin',
    lastName: 'Calloway',
    label: 'Super admin of this installation',
    isSuperAdmin: true,
    organization: 'acme',
    role: 'owner',
  },
];
