/** The command that `npm start` prints: it sells a lead at any hour of any day, again and again. */
import { demoKeyOf } from './insert-world.ts';
import { DEMO_TIER } from './world/publishers.ts';

/** A consumer that nobody is (reserved phone, e-mail and address on the net) and that every demo buyer likes. */
export function demoLead(): Record<string, string | number | boolean> {
  return {
    first_name: 'Emery',
    last_name: 'Brandt',
    email: 'emery.brandt@example.com',
    phone: '(614) 555-0142',
    date_of_birth: '04/17/1986',
    ssn: '900121234',
    address: '1420 Maple Avenue',
    city: 'Columbus',
    state: 'OH',
    zip: '43201',
    residence_type: 'rent',
    loan_amount: 500,
    income_source: 'employment',
    employer: 'Lakeside Logistics',
    months_employed: 38,
    monthly_income: 5200,
    pay_frequency: 'biweekly',
    next_pay_date: '2027-01-15',
    direct_deposit: true,
    bank_name: 'First Harbor Bank',
    routing_number: '123123123',
    account_number: '000123456789',
    account_type: 'checking',
    tcpa_text: 'By clicking Submit I agree to be called and texted about my request.',
    ip_address: '203.0.113.24',
    user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
    landing_page: 'https://quick-cash.example/apply',
  };
}

export function demoCurl(url: string): string {
  return [
    `curl -sS -X POST ${url}/api/v1/leads \\`,
    `  -H 'Authorization: Bearer ${demoKeyOf(DEMO_TIER)}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(demoLead())}'`,
  ].join('\n');
}
