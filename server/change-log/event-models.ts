/** What stands in the change log without being a record that is edited: its name for people, and what to do where one wants it undone. */
export const EVENTS: Readonly<Record<string, { label: string; final: string }>> = {
  teamMember: { label: 'Team member', final: 'Who is on the team, and what they may, is changed on the page of the team.' },
  sampleLead: { label: 'Sample lead', final: 'What a sample held is not kept in the log. Write it anew in the testing lab.' },
  replay: { label: 'Replay', final: 'A replay changes nothing. What it led to has a line of its own.' },
  eligibilityLink: { label: 'Eligibility link', final: 'Links are made and revoked in the testing lab.' },
  leadReturn: { label: 'Return', final: 'A return stands. Enter an adjustment for its buyer and its publisher instead.' },
  settlement: { label: 'Settled lead', final: 'A lead is settled once. Return it, or enter an adjustment instead.' },
  personalValues: { label: 'Personal values', final: 'Whoever has seen them has seen them. The line stays.' },
  personalData: { label: 'Personal data', final: 'What was handed out or erased cannot be taken back. The line stays.' },
  leadExport: { label: 'Export of leads', final: 'What was handed out cannot be taken back. The line stays.' },
  keptNoLonger: {
    label: 'Kept no longer',
    final: 'What was deleted is gone. The rules are changed on the page of lists, under retention.',
  },
  ledgerEntry: { label: 'Ledger entry', final: 'An entry stays. Enter an adjustment or a payment that takes it back.' },
};
