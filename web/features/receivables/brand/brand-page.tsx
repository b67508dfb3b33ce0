import { useState } from 'react'
import type { BrandResponse } from '#contracts/receivables/brand'
import { parseColor } from '#contracts/receivables/brand-color'
import { useChangeBrandMutation, useGetBrandQuery } from '../../../api/messages-api.ts'
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
import { brandBody, draftOf, isSame, problemsOfBrand, type BrandDraft } from './brand-draft.ts'
import { BrandForm } from './brand-form.tsx'
import { PortalPreview } from './portal-preview.tsx'
import './brand-page.css'

export function BrandPage() {
  return (
    <AreaPage title="Brand" goal="your brand">
      <Brand />
    </AreaPage>
  )
}

const note = 'What your clients see of you'

function Brand() {
  const reading = useGetBrandQuery()
  if (reading.data !== undefined) return <Loaded brand={reading.data} />
  return (
    <>
      <PageHead title="Brand" note={note} />
      <section className="panel" aria-label="Brand">
        {reading.isError ? (
          <LoadFailure
            what="your brand"
            error={reading.error}
            retrying={reading.isFetching}
            onRetry={() => void reading.refetch()}
          />
        ) : (
          <LoadingRows what="your brand" rows={10} />
        )}
      </section>
    </>
  )
}

/** What was typed, and the version of the brand that it was typed into. */
interface Typed {
  readonly draft: BrandDraft
  readonly basedOn: number
}

function Loaded({ brand }: { readonly brand: BrandResponse }) {
  const { access, version } = brand
  const [change] = useChangeBrandMutation()
  const { busy, problem, send } = useSending<BrandResponse>()
  const [typed, setTyped] = useState<Typed | null>(null)
  const saved = draftOf(brand)
  const draft = typed?.draft ?? saved
  const problems = problemsOfBrand(draft)
  const isDirty = typed !== null && !isSame(draft, saved)

  function submit(): void {
    if (Object.keys(problems).length > 0) return
    void send(
      (key) => change({ key, body: brandBody(draft, typed?.basedOn ?? version) }),
      () => {
        setTyped(null)
        showToast('success', 'The brand is saved.')
      },
    )
  }

  return (
    <>
      <AccessBanner access={access} />
      <LeaveWarning when={isDirty} what="The changes of the brand" />
      <PageHead
        title="Brand"
        note={note}
        actions={
          access.mayAct && (
            <div className="rcv-acts">
              <Button look="line" disabled={!isDirty} onClick={() => setTyped(null)}>
                Discard
              </Button>
              <Button
                disabled={!isDirty || Object.keys(problems).length > 0}
                busy={busy}
                onClick={submit}
              >
                Save brand
              </Button>
            </div>
          )
        }
      />
      <ErrorBox text={problem} />
      <section className="panel brand-panel" aria-label="Brand">
        <BrandForm
          brand={brand}
          draft={draft}
          problems={problems}
          readOnly={!access.mayAct}
          onChange={(part) =>
            setTyped({ draft: { ...draft, ...part }, basedOn: typed?.basedOn ?? version })
          }
        />
        <Previews brand={brand} draft={draft} problems={problems} />
      </section>
    </>
  )
}

/** Mail, page and text with what is typed, as far as it can be saved. */
function Previews({
  brand,
  draft,
  problems,
}: {
  readonly brand: BrandResponse
  readonly draft: BrandDraft
  readonly problems: Readonly<Record<string, string>>
}) {
  const senderName = draft.senderName.trim() || brand.defaults.senderName
  const postalAddress = draft.postalAddress.trim() || brand.defaults.postalAddress.join('\n')
  const { message, isStale, error, isFetching, retry } = usePreview({
    tone: 'firm',
    brand: {
      ...(problems.senderName === undefined ? { senderName } : {}),
      ...(problems.postalAddress === undefined ? { postalAddress } : {}),
    },
  })
  const color = parseColor(draft.color)
  const logo =
    draft.logo === 'keep'
      ? brand.logo
      : draft.logo === 'remove'
        ? null
        : { url: draft.logo.url, width: 0, height: 0 }
  return (
    <div className={`brand-previews${isStale ? ' msg-stale' : ''}`} aria-busy={isStale}>
      {error !== null && (
        <LoadFailure what="the preview" error={error} retrying={isFetching} onRetry={retry} />
      )}
      {message === undefined && error === null && <LoadingRows what="the preview" rows={8} />}
      {message !== undefined && (
        <>
          <section aria-label="E-mail">
            <h2>E-mail</h2>
            <MailPreview mail={message.mail} color={color} logo={logo} />
          </section>
          <div className="brand-small">
            <section aria-label="Client's page">
              <h2>Client’s page</h2>
              <PortalPreview message={message} color={color} logo={logo} />
            </section>
            <section aria-label="Text">
              <h2>Text</h2>
              <TextPreview body={message.text.body} />
            </section>
          </div>
        </>
      )}
    </div>
  )
}
