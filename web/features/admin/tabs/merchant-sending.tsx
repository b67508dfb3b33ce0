import type { SendingResponse } from '#contracts/admin/sending'
import type { AdminUser } from '#contracts/admin/users'
import { useGetSendingQuery } from '../../../api/admin-api.ts'
import { formatExactTime } from '../../../lib/dates.ts'
import { formatCount } from '../../../lib/money.ts'
import { Button } from '../../../ui/button.tsx'
import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { useMay } from '../use-may.ts'
import { SectionFailure } from './section-failure.tsx'
import { Section } from './section.tsx'
import { SenderName } from './sender-name.tsx'
import { AllowSendingDialog, SendingLimitsDialog, StopSendingDialog } from './sending-dialogs.tsx'

/** Whether the clients of a merchant get messages, and an administrator's stop and limits. */
export function MerchantSending({ user }: { user: AdminUser }) {
  const { currentData, isError, isFetching, refetch } = useGetSendingQuery({ userId: user.user_id })
  return (
    <Section title="Messages to clients">
      {isError && (
        <SectionFailure what="messages" retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {!isError && currentData === undefined && <Skeleton height="64px" />}
      {currentData !== undefined && <Sending user={user} sending={currentData} />}
    </Section>
  )
}

function Sending({ user, sending }: { user: AdminUser; sending: SendingResponse }) {
  const showDialog = usePageDialog()
  const mayChange = useMay('sending')
  const { stopped, limits, remindersAreOn } = sending
  return (
    <>
      <Descriptions>
        <Description term="Reminders">{remindersAreOn ? 'On' : 'Off'}</Description>
        <Description term="Messages">
          {stopped === null ? (
            'Allowed'
          ) : (
            <>
              Stopped on {formatExactTime(stopped.at)}
              <small className="user-note">{stopped.reason}</small>
            </>
          )}
        </Description>
        <Description term="Clients a day">
          {formatCount(limits.firstWeek)} in the first week, {formatCount(limits.later)} later
        </Description>
        <SenderName user={user} />
      </Descriptions>
      {mayChange && (
        <div className="user-sending">
          <Button
            look="line"
            size="sm"
            onClick={() =>
              showDialog((close) => (
                <SendingLimitsDialog user={user} limits={limits} onClose={close} />
              ))
            }
          >
            Change limits
          </Button>
          {stopped === null ? (
            <Button
              look="risk"
              size="sm"
              onClick={() =>
                showDialog((close) => <StopSendingDialog user={user} onClose={close} />)
              }
            >
              Stop messages
            </Button>
          ) : (
            <Button
              look="line"
              size="sm"
              onClick={() =>
                showDialog((close) => <AllowSendingDialog user={user} onClose={close} />)
              }
            >
              Allow messages
            </Button>
          )}
        </div>
      )}
    </>
  )
}
