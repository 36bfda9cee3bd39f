import type { DemoSignIn } from '#contract/demo.ts';
import type { Config } from '#server/kit/config.ts';

export interface DemoWorld {
  signIns: DemoSignIn[];
  marketPort: number;
  marketSeed: number;
  /** A command, ready to paste, that sells a lead at the given address. */
  curl(url: string): string;
}

export async function seedDemoWorld(_config: Config, _url: string, _say: (text: string) => void): Promise<DemoWorld | undefined> {
  return undefined;
}
