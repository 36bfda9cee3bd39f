import type { HelpEntryAnswer, HelpEntryView } from '#contract/help.ts';
import type { HelpKind } from '#contract/help-kind.ts';
import type { HelpRow } from './help.sql.ts';

export function viewEntry(row: HelpRow): HelpEntryView {
  const origin = !row.is_own ? 'product' : row.shipped ? 'changed' : 'added';
  return { ...viewVersion(row), kind: row.kind as HelpKind, key: row.key, origin };
}

type VersionRow = Pick<HelpRow, 'tags' | 'body' | 'version' | 'is_removed' | 'changed_at' | 'changed_by'>;

export function viewVersion(row: VersionRow): HelpEntryAnswer['versions'][number] {
  const { tags, version, changed_by: changedBy } = row;
  return {
    version,
    tags,
    body: row.body as Record<string, unknown>,
    isRemoved: row.is_removed,
    changedAt: row.changed_at.toISOString(),
    changedBy,
  };
}
