import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import './sign-in.css';

/** The only time these are seen: the way on opens when they are said to be kept. */
export function RecoveryCodes({ codes, onKept, action }: { codes: string[]; onKept: () => void; action: string }) {
  const [kept, setKept] = useState(false);
  return (
    <div className="recovery-codes">
      <p className="sign-in-lead">
        Keep these recovery codes where you keep passwords. Each opens your account once when your authenticator is out of reach. They are
        not shown again.
      </p>
      <ul className="mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyTextButton text={() => codes.join('\n')} label="Copy all codes" />
      <label className="recovery-kept">
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} /> I have kept these codes
      </label>
      <Button size="md" fullWidth disabled={!kept} onClick={onKept}>
        {action}
      </Button>
    </div>
  );
}
