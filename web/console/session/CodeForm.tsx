import { Button, TextInput } from '@mantine/core';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { type MfaAnswer, validateCode, verifyFirstCode } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { checkCode, isWholeCode, plainCode } from './code-text.ts';
import { FormAlert } from './FormAlert.tsx';

/** View 3 of signing in (account §2): the code that the authenticator shows. */
export function CodeForm({ onDone, onOver }: { onDone: (answer: MfaAnswer) => void; onOver: () => void }) {
  return (
    <>
      <p className="sign-in-lead">Enter the six digits that your authenticator app shows, or one of your recovery codes.</p>
      <CodeInput send={validateCode} onDone={onDone} onOver={onOver} action="Continue" />
    </>
  );
}

/** View 2: the picture to scan at the first sign-in, and the first code. */
export function QrForm({
  qrCode,
  secret,
  send = verifyFirstCode,
  onDone,
  onOver,
}: {
  qrCode: string;
  secret: string;
  send?: (code: string) => Promise<MfaAnswer>;
  onDone: (answer: MfaAnswer) => void;
  onOver: () => void;
}) {
  return (
    <>
      <p className="sign-in-lead">Scan this picture with your authenticator app, then enter the six digits it shows.</p>
      <div className="qr-code">
        <img src={qrCode} alt="The QR code of your two-factor secret" width={190} height={190} />
      </div>
      <p className="qr-secret">
        <span className="muted small">Cannot scan? Enter this key instead:</span>
        <code className="mono">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={secret} label="Copy the key" />
      </p>
      <CodeInput send={send} onDone={onDone} onOver={onOver} action="Set up" />
    </>
  );
}

interface CodeInputProps {
  send: (code: string) => Promise<MfaAnswer>;
  onDone: (answer: MfaAnswer) => void;
  /** The sign-in has ended meanwhile: it begins again with the password. */
  onOver: () => void;
  action: string;
}

function CodeInput({ send, onDone, onOver, action }: CodeInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: () => {
      if (input.current) input.current.value = '';
      input.current?.focus();
    },
  });
  const submit = (text: string) => {
    const missing = checkCode(text);
    setProblem(missing);
    if (missing) return input.current?.focus();
    if (!check.isPending) check.mutate(plainCode(text));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(input.current?.value ?? '');
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <CodeProblem check={check} onOver={onOver} />
      <TextInput
        ref={input}
        label="Code"
        className="code-input"
        size="md"
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={60}
        error={problem}
        autoFocus
        onChange={(event) => {
          setProblem(null);
          if (isWholeCode(event.currentTarget.value)) submit(event.currentTarget.value);
        }}
      />
      <Button type="submit" size="md" fullWidth loading={check.isPending}>
        {action}
      </Button>
    </form>
  );
}

function CodeProblem({ check, onOver }: { check: UseMutationResult<MfaAnswer, Error, string>; onOver: () => void }) {
  if (!check.error) return null;
  const isOver = check.error instanceof ApiError && check.error.code === 'session_user_invalid';
  return (
    <>
      <FormAlert key={check.submittedAt} error={check.error} onHide={check.reset} />
      {isOver && (
        <Button variant="default" onClick={onOver}>
          Begin again with the password
        </Button>
      )}
    </>
  );
}
