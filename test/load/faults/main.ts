/**
 * `npm run faults`: the product under kill -9. `npm run faults -- 50 20 10` kills single nodes 50 times, the database 20 times and everything at once 10
 * times; FAULT_SEED repeats a run. Ends with 1 where anything was lost, sold twice, or over a cap.
 */
import { type Report, runFaults } from './run-faults.ts';

const [nodes = 5, databases = 2, everything = 1] = process.argv.slice(2).map(Number);
const seed = process.env.FAULT_SEED ?? String(Date.now());
console.log(`seed ${seed}: ${nodes} kills of a node, ${databases} of the database, ${everything} of everything at once\n`);
const report = await runFaults({ node: nodes, bothNodes: everything, database: databases, everything }, seed, console.log);
print(report);
process.exit(Object.values(report.faults).every((found) => found.length === 0) ? 0 : 1);

function print({ faults, details, rounds, toOthers, ...figures }: Report): void {
  const share = toOthers.calls === 0 ? 1 : 1 - toOthers.failed / toOthers.calls;
  console.table({
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value])),
    'answered by nodes left in peace': `${(share * 100).toFixed(2)} % of ${toOthers.calls}`,
    ...Object.fromEntries(Object.entries(faults).map(([name, found]) => [`! ${name}`, found.length])),
  });
  for (const [name, found] of Object.entries(faults)) if (found.length > 0) console.log(`${name}: ${found.slice(0, 20).join(', ')}`);
  if (details.length > 0) console.log(JSON.stringify(details, null, 1));
}
