import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { publisherTierChoices } from '../api/choices.ts';
import type { RecordRow } from '../api/record.ts';
import { ReportTabs } from '../report/ReportTabs.tsx';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { SetUpPage } from '../set-up/SetUpPage.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { EmbedSteps } from './EmbedSteps.tsx';
import './landing-page.css';

interface Values {
  name: string;
  status: string;
  publisherTierId: string;
  url: string;
  notes: string;
}

const INITIAL: Values = { name: '', status: 'active', publisherTierId: '', url: '', notes: '' };
const toValues = (row: RecordRow): Values => ({
  ...{ name: String(row.name), status: String(row.status), publisherTierId: String(row.publisherTierId) },
  ...{ url: String(row.url), notes: String(row.notes) },
});

/** One landing page: where it stands, whose leads may name it, and what makes it count. */
export function LandingPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const mayEdit = usePermissionHere()?.pageStatePermission.setup;
  return (
    <EditPage model="landingPage" label="Landing page" id={id} list={{ path: 'page-stats', label: 'Page stats' }} Frame={PageFrame}>
      {({ row, toList }) => (
        <>
          {row && row.status !== 'archived' && (
            <section className="embed-part" aria-label="How it counts">
              <div className="set-up-head">
                <h2>How it counts</h2>
              </div>
              <div className="card card-pad">
                <EmbedSteps pageId={row._id} />
              </div>
            </section>
          )}
          {mayEdit ? <PageForm row={row} toList={toList} /> : row && <PageFacts row={row} />}
        </>
      )}
    </EditPage>
  );
}

/** The frame of the report, so that the way back is the tab beside. */
function PageFrame(props: { title: string; back?: ReactNode; action?: ReactNode; children: ReactNode }) {
  const { place } = usePlaceIds();
  return <SetUpPage {...props} tabs={<ReportTabs place={place} />} />;
}

function PageForm({ row, toList }: { row: RecordRow | undefined; toList: () => void }) {
  const { place, verticalId } = usePlaceIds();
  const navigate = useNavigate();
  return (
    <RecordForm<Values>
      key={row?._id}
      model="landingPage"
      one="landing page"
      row={row}
      toValues={toValues}
      initial={INITIAL}
      toData={({ status, publisherTierId, ...values }) => ({ ...values, ...(row ? { status } : { verticalId, publisherTierId }) })}
      validate={{ name: checkGiven, url: checkGiven, publisherTierId: checkGiven }}
      // The line of script of a new one is needed next.
      onSaved={(saved) =>
        row ? toList() : void navigate({ href: `/setup/${place.region}/${place.vertical}/page-stats/pages/${saved._id}` })
      }
      onCancel={toList}
    >
      {(form) => (
        <FormSection title="Landing page" says="A page of yours, or of a publisher, on which consumers arrive and fill in a form.">
          <div className="form-three">
            <UniqueInput
              {...form.getInputProps('name')}
              unique={{ model: 'landingPage', field: 'name', id: row?._id, within: { field: 'verticalId', id: verticalId } }}
              label="Name"
              maxLength={120}
              autoComplete="off"
            />
            <ChoiceSelect
              {...form.getInputProps('publisherTierId')}
              label="Publisher tier"
              source={publisherTierChoices(verticalId, 'api')}
              emptyText="No publisher tiers that take posted leads found."
              disabled={row !== undefined}
            />
            {row && <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />}
          </div>
          <TextInput
            {...form.getInputProps('url')}
            label="Address"
            description="Where it stands, so that people know which page is meant."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder="https://www.example.com/loans"
            maxLength={500}
            inputMode="url"
            spellCheck={false}
            autoComplete="off"
          />
          <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
        </FormSection>
      )}
    </RecordForm>
  );
}

/** For who may look at figures and not set up. */
function PageFacts({ row }: { row: RecordRow }) {
  return (
    <div className="card card-pad">
      <dl className="page-facts">
        <dt className="muted">Address</dt>
        <dd>
          <a href={String(row.url)} target="_blank" rel="noopener noreferrer" className="link">
            {String(row.url)}
          </a>
        </dd>
        <dt className="muted">Status</dt>
        <dd>{statusOptionsOf(row).find(({ value }) => value === row.status)?.label}</dd>
      </dl>
    </div>
  );
}
