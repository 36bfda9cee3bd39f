import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SocialMedia } from '#contract/card.ts';
import { SOCIAL_KINDS } from '#contract/card-design.ts';
import { IconPlus, IconX } from '#web/ui/icons.ts';

const LABELS: Partial<Record<string, string>> = {
  ...{ linkedin: 'LinkedIn', twitter: 'X (Twitter)', youtube: 'YouTube', tiktok: 'TikTok', github: 'GitHub' },
  ...{ email: 'E-mail', custom: 'Another link' },
};
const KINDS = SOCIAL_KINDS.map((value) => ({ value, label: LABELS[value] ?? value[0]!.toUpperCase() + value.slice(1) }));

interface SocialRowsProps {
  rows: SocialMedia;
  /** By the server's names: `socialMedia.0.url`. */
  errors: Record<string, ReactNode>;
  onChange: (rows: SocialMedia) => void;
}

export function SocialRows({ rows, errors, onChange }: SocialRowsProps) {
  const change = (at: number, more: Partial<SocialMedia[number]>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...more } : row)));
  return (
    <div className="value-list">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
        <div key={at} className="social-row">
          <NativeSelect
            aria-label={`Kind of link ${at + 1}`}
            data={KINDS}
            value={row.kind}
            onChange={(event) => change(at, { kind: event.currentTarget.value as SocialMedia[number]['kind'] })}
          />
          <TextInput
            aria-label={`Address of link ${at + 1}`}
            data-path={`socialMedia.${at}.url`}
            placeholder={row.kind === 'email' ? 'name@example.com' : row.kind === 'phone' ? '+1 212 555 0123' : 'https://'}
            value={row.url}
            maxLength={500}
            error={errors[`socialMedia.${at}.url`] ?? errors[`socialMedia.${at}`]}
            onChange={(event) => change(at, { url: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Name of link ${at + 1}`}
            placeholder="Name, if not the usual one"
            value={row.label}
            maxLength={60}
            onChange={(event) => change(at, { label: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove link ${at + 1}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={rows.length >= 20}
          onClick={() => onChange([...rows, { kind: 'linkedin', url: '', label: '' }])}
        >
          Add a link
        </Button>
      </div>
    </div>
  );
}
