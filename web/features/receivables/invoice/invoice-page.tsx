import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { useGetInvoiceQuery } from '../../../api/receivables-api.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { InvoiceActDialog } from '../acts/invoice-act-dialog.tsx'
import type { ChosenAct } from '../acts/invoice-forms.ts'
import { ComingRows } from '../messages/coming-rows.tsx'
import { MessageDialogs, type OpenedMessage } from '../messages/message-dialogs.tsx'
import { NextMessage } from '../messages/next-message.tsx'
import { money } from '../shared/amounts.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { fullDay, shortDay } from '../shared/days.ts'
import { ageText, InvoiceStatus } from '../shared/invoice-status.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { clientPath, invoicesPath } from '../shared/paths.ts'
import { MarkLegend } from '../shared/mark-legend.tsx'
import { PickedEvents } from '../shared/picked-events.tsx'
import { Timeline } from '../shared/timeline.tsx'
import { ActsBand, mayDo } from './acts-band.tsx'
import { Agreements } from './agreements.tsx'
import { ClientCard } from './client-card.tsx'
import { belongsTo } from './figure-events.ts'
import { InvoiceFigures, type PickedFigure } from './invoice-figures.tsx'
import { InvoiceLine } from './invoice-line.tsx'
import { linkedAct } from './linked-act.ts'
import { PaymentsPanel } from './payments-panel.tsx'

export function InvoicePage() {
  return (
    <AreaPage title="Invoice" goal="your invoices">
      <InvoiceOf
        key={useParams()['receivableId']}
        receivableId={useParams()['receivableId'] ?? ''}
      />
    </AreaPage>
  )
}

function InvoiceOf({ receivableId }: { receivableId: string }) {
  const reading = useGetInvoiceQuery({ receivableId })
  const { data: invoice } = reading
  if (invoice !== undefined) return <Invoice invoice={invoice} />
  return (
    <>
      <PageHead title="Invoice" />
      <section className="panel" aria-label="Invoice">
        {reading.isError ? (
          <LoadFailure
            what="the invoice"
            error={reading.error}
            retrying={reading.isFetching}
            onRetry={() => void reading.refetch()}
          />
        ) : (
          <LoadingRows what="the invoice" />
        )}
      </section>
    </>
  )
}

function Invoice({ invoice }: { invoice: InvoiceResponse }) {
  const [params, setParams] = useSearchParams()
  const [act, setAct] = useState<ChosenAct | null>(null)
  const [picked, setPicked] = useState<PickedFigure | null>(null)
  const [message, setMessage] = useState<OpenedMessage | null>(null)
  const linked = linkedAct(params.get('act'), invoice)
  const open = act ?? linked
  const { client, today, timeline, timeZone, access, coming } = invoice
  const isOwed = invoice.figures.open > 0 && invoice.ended === null && !client.isErased

  const shown =
    picked === null ? timeline : timeline.filter((event) => belongsTo(picked.figure, event))

  function pick(figure: PickedFigure | null): void {
    setPicked(figure)
    document.getElementById('history')?.focus()
  }

  function close(): void {
    setAct(null)
    if (params.has('act')) setParams({}, { replace: true, preventScrollReset: true })
  }

  return (
    <>
      <AccessBanner access={access} />
      <InvoiceHead invoice={invoice} onChange={() => setAct({ type: 'change' })} />
      <section className="panel" aria-label="The line of the invoice">
        <InvoiceFigures invoice={invoice} onPick={pick} />
        <InvoiceLine invoice={invoice} />
        <Agreements invoice={invoice} />
        <ActsBand invoice={invoice} onAct={(type) => setAct({ type })} />
      </section>
      <div className="rcv-two rcv-invoice">
        <div id="history" tabIndex={-1}>
          <Panel title="History" padded={false} actions={<MarkLegend events={timeline} />}>
            {picked && (
              <PickedEvents
                figure={picked.label}
                count={shown.length}
                onShowAll={() => pick(null)}
              />
            )}
            <Timeline
              events={shown}
              today={today}
              timeZone={timeZone}
              now={nowSentence(invoice)}
              coming={
                picked === null && (
                  <ComingRows
                    coming={coming}
                    timeZone={timeZone}
                    receivableId={invoice.receivableId}
                    onSkip={access.mayAct ? (step) => setMessage({ kind: 'skip', step }) : null}
                  />
                )
              }
              onOpenMessage={(messageId) => setMessage({ kind: 'words', messageId })}
            />
          </Panel>
        </div>
        <div className="rcv-column">
          {isOwed && (
            <NextMessage
              coming={coming}
              timeZone={timeZone}
              receivableId={invoice.receivableId}
              mayAct={access.mayAct}
              onSendNow={() => setMessage({ kind: 'send-now' })}
              onSkip={(step) => setMessage({ kind: 'skip', step })}
            />
          )}
          <PaymentsPanel invoice={invoice} onAct={setAct} />
          <ClientCard invoice={invoice} />
        </div>
      </div>
      <MessageDialogs
        opened={message}
        clientId={client.clientId}
        timeZone={timeZone}
        onClose={() => setMessage(null)}
      />
      {open && <InvoiceActDialog act={open} invoice={invoice} onClose={close} />}
    </>
  )
}

interface InvoiceHeadProps {
  readonly invoice: InvoiceResponse
  readonly onChange: () => void
}

function InvoiceHead({ invoice, onChange }: InvoiceHeadProps) {
  const { number, status, client, details } = invoice
  return (
    <>
      <p className="rcv-crumb">
        <Link to={invoicesPath()}>Invoices</Link> / {number}
      </p>
      <PageHead
        title={number}
        chip={<InvoiceStatus status={status} />}
        note={
          <>
            <Link to={clientPath(client.clientId)} dir="auto" className="rcv-name">
              {client.name}
            </Link>
            {details.reference !== null && !client.isErased && (
              <span dir="auto">, {details.reference}</span>
            )}
            {details.issueDate !== null && `, issued ${fullDay(details.issueDate)}`}
          </>
        }
        actions={
          <div className="rcv-acts">
            {mayDo(invoice, 'change') && (
              <Button look="line" onClick={onChange}>
                Change
              </Button>
            )}
            {details.url !== null && (
              <a
                className={buttonClass({ look: 'line' })}
                href={details.url}
                rel="noreferrer nofollow"
                target="_blank"
              >
                Open at {new URL(details.url).host}
              </a>
            )}
          </div>
        }
      />
    </>
  )
}

function nowSentence({ figures, currency, ended, today }: InvoiceResponse): string {
  if (figures.paidOn !== null) return `Paid in full on ${shortDay(figures.paidOn, today)}.`
  if (ended !== null) return 'Nothing is owed.'
  const age = ageText(figures.daysOverdue)
  return `${age.charAt(0).toUpperCase()}${age.slice(1)}, ${money(figures.open, currency)} open.`
}
