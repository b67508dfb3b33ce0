import { useId, useState } from 'react'
import type { TemplatesResponse, ShownTemplate } from '#contracts/receivables/templates'
import {
  useGetBrandQuery,
  useListTemplatesQuery,
  useSaveTemplatesMutation,
} from '../../../api/messages-api.ts'
import {
  useGetReceivablesOverviewQuery,
  useListInvoicesQuery,
} from '../../../api/receivables-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { useSending } from '../acts/use-sending.ts'
import { MailPreview } from '../preview/mail-preview.tsx'
import { TextPreview } from '../preview/text-preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { LeaveWarning } from '../shared/leave-warning.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import {
  savedTemplates,
  shownDraft,
  typed,
  withProblem,
  type Channel,
  type Drafts,
  type Tone,
} from './drafts.ts'
import { PreviewChoice } from './preview-choice.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { ToneTabs } from './tone-tabs.tsx'
import './templates-page.css'

export function TemplatesPage() {
  return (
    <AreaPage title="Templates" goal="your templates">
      <Templates />
    </AreaPage>
  )
}

const note = 'The words of each message to your clients.'

function Templates() {
  const list = useListTemplatesQuery()
  if (list.data !== undefined) return <Loaded templates={list.data} />
  return (
    <>
      <PageHead title="Templates" note={note} />
      <section className="panel" aria-label="Templates">
        {list.isError ? (
          <LoadFailure
            what="your templates"
            error={list.error}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        ) : (
          <LoadingRows what="your templates" rows={10} />
        )}
      </section>
    </>
  )
}

function Loaded({ templates: { access, items } }: { readonly templates: TemplatesResponse }) {
  const panelId = useId()
  const { data: overview } = useGetReceivablesOverviewQuery({})
  const { data: invoices } = useListInvoicesQuery(openInvoices)
  const [save] = useSaveTemplatesMutation()
  const { busy, problem, send } = useSending<object>()
  const [tone, setTone] = useState<Tone>('friendly')
  const [drafts, setDrafts] = useState<Drafts>({})
  const [restores, setRestores] = useState<ShownTemplate | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const receivableId = chosen ?? invoices?.items[0]?.receivableId ?? null

  const of = (channel: Channel) =>
    items.find((item) => item.tone === tone && item.channel === channel)
  const [mail, text] = [of('mail'), of('text')]
  const draftOf = (template: ShownTemplate | undefined) =>
    template === undefined ? undefined : shownDraft(template, drafts)
  const preview = usePreview({
    tone,
    subject: draftOf(mail)?.subject ?? undefined,
    mail: draftOf(mail)?.body,
    text: draftOf(text)?.body,
    receivableId,
  })
  const changed = new Set(Object.keys(drafts).map((key) => key.split(' ')[0] as Tone))
  const isDirty = changed.size > 0

  function submit(): void {
    const wrong = withProblem(items, drafts)
    if (wrong !== null) return setTone(wrong.tone)
    void send(
      (key) => save({ key, body: { templates: savedTemplates(items, drafts) } }),
      () => {
        setDrafts({})
        showToast('success', 'The texts are saved.')
      },
    )
  }

  const editor = (template: ShownTemplate | undefined) =>
    template !== undefined && (
      <TemplateEditor
        key={`${template.tone} ${template.channel}`}
        template={template}
        draft={shownDraft(template, drafts)}
        readOnly={!access.mayAct}
        timeZone={overview?.merchant.timeZone ?? 'UTC'}
        text={template.channel === 'text' ? preview.message?.text : undefined}
        senderName={preview.message?.mail.fromName}
        hint={hints[template.channel]}
        onChange={(change) => setDrafts((before) => typed(before, template, change))}
        onRestore={() => setRestores(template)}
      />
    )

  return (
    <>
      <AccessBanner access={access} />
      <LeaveWarning when={isDirty} what="The changes of the texts" />
      <TemplatesHead
        mayAct={access.mayAct}
        isDirty={isDirty}
        busy={busy}
        onDiscard={() => setDrafts({})}
        onSave={submit}
      />
      <ErrorBox text={problem} />
      <div className="tpl-bar">
        <ToneTabs tone={tone} changed={changed} panelId={panelId} onChange={setTone} />
        <PreviewChoice
          invoices={invoices?.items ?? []}
          chosen={receivableId}
          onChoose={setChosen}
        />
      </div>
      <div
        id={panelId}
        className="panel tpl-panel"
        role="tabpanel"
        aria-labelledby={`${panelId}-${tone}`}
      >
        {editor(mail)}
        <MailSection preview={preview} />
        {editor(text)}
        <TextSection preview={preview} />
      </div>
      {restores !== null && (
        <RestoreDialog
          template={restores}
          onDone={() => {
            setDrafts((before) => withoutDraft(before, restores))
            setRestores(null)
          }}
          onClose={() => setRestores(null)}
        />
      )}
    </>
  )
}

function withoutDraft(drafts: Drafts, { tone, channel }: ShownTemplate): Drafts {
  const { [`${tone} ${channel}`]: _, ...others } = drafts
  return others
}

interface TemplatesHeadProps {
  readonly mayAct: boolean
  readonly isDirty: boolean
  readonly busy: boolean
  readonly onDiscard: () => void
  readonly onSave: () => void
}

function TemplatesHead({ mayAct, isDirty, busy, onDiscard, onSave }: TemplatesHeadProps) {
  return (
    <PageHead
      title="Templates"
      note={note}
      actions={
        mayAct && (
          <div className="rcv-acts">
            <Button look="line" disabled={!isDirty} onClick={onDiscard}>
              Discard
            </Button>
            <Button disabled={!isDirty} busy={busy} onClick={onSave}>
              Save texts
            </Button>
          </div>
        )
      }
    />
  )
}

type Preview = ReturnType<typeof usePreview>

interface SectionProps {
  readonly preview: Preview
}

function MailSection({ preview }: SectionProps) {
  const { message, isStale, error, isFetching, retry } = preview
  const { data: brand } = useGetBrandQuery()
  return (
    <section
      className={`tpl-preview tpl-preview-mail${isStale ? ' msg-stale' : ''}`}
      aria-label="Preview of the e-mail"
      aria-busy={isStale}
    >
      {message !== undefined && (
        <MailPreview
          mail={message.mail}
          color={brand?.color ?? null}
          logo={brand?.logo ?? null}
          hasSubject
        />
      )}
      {message === undefined && error === null && <LoadingRows what="the preview" rows={8} />}
      {error !== null && (
        <LoadFailure what="the preview" error={error} retrying={isFetching} onRetry={retry} />
      )}
    </section>
  )
}

function TextSection({ preview: { message, isStale } }: SectionProps) {
  return (
    <section
      className={`tpl-preview tpl-preview-text${isStale ? ' msg-stale' : ''}`}
      aria-label="Preview of the text"
    >
      {message !== undefined && (
        <>
          <p className="msg-subject">
            To {message.clientName}
            {message.isExample && ', an example'}
          </p>
          <TextPreview body={message.text.body} />
        </>
      )}
    </section>
  )
}

const hints: Readonly<Record<Channel, string>> = {
  mail: 'The amount, the table, the button to the client’s page, your address and the way to stop are always there.',
  text: 'Your name at the start and STOP at the end are always there. A long name is cut so that the text fits.',
}

/** The oldest due date first. */
const openInvoices = {
  filter: 'open',
  sort: 'dueDate',
  order: 'asc',
  page: 1,
  pageSize: 20,
} as const
