/** Addresses of the testing lab below region and vertical. */
export type LabTab = '' | '/samples' | '/replay' | '/eligibility';

export const labPath = ({ region, vertical }: { region: string; vertical: string }, tab: LabTab = ''): string =>
  `/setup/${region}/${vertical}/testing-lab${tab}`;
