import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Placeholder with the layout of the page while its data loads. */
export function ProfileSkeleton() {
  return (
    <>
      <p className="sr-only" role="status">
        Loading your profile...
      </p>
      <div className="profile-columns" aria-hidden="true">
        <div>
          <Panel title="Company profile">
            <Lines count={5} height="62px" />
          </Panel>
          <Panel title="Your sessions">
            <Lines count={2} height="40px" />
          </Panel>
        </div>
        <div>
          <Panel title="E-mail addresses">
            <Lines count={2} height="40px" />
          </Panel>
          <Panel title="Your data">
            <Lines count={2} height="64px" />
          </Panel>
        </div>
      </div>
    </>
  )
}

export function Lines({ count, height }: { count: number; height: string }) {
  return (
    <div className="profile-lines">
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} height={height} />
      ))}
    </div>
  )
}
