import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { LEGAL_FOOTER_MAX } from '#contract/logo.ts';
import { MESSAGES } from '#contract/message.ts';
import { plainSubDomain, subDomainProblem } from '#contract/sub-domain.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { chooseOrganization } from '../api/account.ts';
import { withNext } from '../next-page.ts';
import { checkName } from '../registration/name-check.ts';
import { SubDomainInput } from '../registration/SubDomainInput.tsx';
import { useSetup } from '../shell/use-place.ts';
import { ConfigurationCard } from './ConfigurationCard.tsx';
import { LogoCard } from './LogoCard.tsx';
import { errorsOf, RecordPage, SaveRefusal } from './RecordPage.tsx';
import { ReturnsCard, type ReturnTerms } from './ReturnsCard.tsx';
import { useRecord } from './use-record.ts';

interface Organization extends ReturnTerms {
  name: string;
  subDomain: string;
  legalFooterText: string;
}

type Naming = Omit<Organization, keyof ReturnTerms>;

/** Account §2: what the organization is called and looks like. */
export function OrganizationEdit() {
  const { query, save } = useRecord<Organization>('organization', 'Organization');
  const { organization } = useSetup();
  return (
    <RecordPage title="Organization" tabs="organization" query={query}>
      {(record) => (
        <>
          <OrganizationForm record={record} save={save} />
          <ReturnsCard record={record} save={save as ReturnType<typeof useRecord<ReturnTerms>>['save']} />
          <section className="card card-pad logo-pair" aria-label="Logos">
            <LogoCard kind="standard" title="Logo, on light ground" address={organization.logo} />
            <LogoCard kind="light" title="Light logo, on dark ground" address={organization.lightLogo} />
          </section>
          <ConfigurationCard organization={record.name} />
        </>
      )}
    </RecordPage>
  );
}

function OrganizationForm({
  record,
  save,
}: {
  record: Organization & { _id: string };
  save: ReturnType<typeof useRecord<Organization>>['save'];
}) {
  const form = useForm<Naming>({
    initialValues: { name: record.name, subDomain: record.subDomain, legalFooterText: record.legalFooterText },
    validate: {
      name: (name) => checkName(name, 'Name'),
      subDomain: (text) => {
        const problem = subDomainProblem(plainSubDomain(text));
        return problem && plainSubDomain(text) !== record.subDomain ? MESSAGES[problem] : null;
      },
      legalFooterText: (text) => (text.length > LEGAL_FOOTER_MAX ? `At most ${LEGAL_FOOTER_MAX} characters` : null),
    },
    clearInputErrorOnChange: true,
  });
  const moves = plainSubDomain(form.values.subDomain) !== record.subDomain;
  const submit = ({ name, subDomain, legalFooterText }: Naming) => {
    if (save.isPending) return;
    const data = { name, legalFooterText, ...(moves && { subDomain: plainSubDomain(subDomain) }) };
    save.mutate(data, {
      onSuccess: () => void (moves && moveTo(record._id)),
      onError: (error) => form.setErrors(errorsOf(error)),
    });
  };
  return (
    <form noValidate className="card card-pad form-stack" onSubmit={form.onSubmit(submit, focusFirstError)}>
      <SaveRefusal error={save.error} />
      <div className="form-pair">
        <TextInput {...form.getInputProps('name')} label="Name" maxLength={200} />
        <SubDomainInput
          {...form.getInputProps('subDomain')}
          value={form.values.subDomain}
          label="Sub-domain"
          mode="edit"
          companyId={record._id}
          current={record.subDomain}
        />
      </div>
      {moves && (
        <p className="form-note" role="status" style={{ margin: 0 }}>
          Addresses change with the sub-domain: links and bookmarks to {record.subDomain} no longer lead here.
        </p>
      )}
      <Textarea
        {...form.getInputProps('legalFooterText')}
        label="Legal footer"
        description={`Stands at the foot of every console page. ${form.values.legalFooterText.length} of ${LEGAL_FOOTER_MAX} characters.`}
        autosize
        minRows={3}
        maxRows={12}
      />
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** The organization lives at another address now: its owner goes there, still signed in. At a host of its own nothing moves. */
async function moveTo(organizationId: string): Promise<void> {
  const { redirectUrl } = await chooseOrganization(organizationId);
  if (redirectUrl) window.location.assign(withNext(redirectUrl, '/organization-edit'));
}
