import type { GalleryItem } from './mail-gallery.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'
import { Bubble } from './text-thread.tsx'

export const schemes = ['light', 'dark'] as const
/** The widths of a phone and of a mail program's pane, in px. */
const widths = { phone: 390, desktop: 720 } as const

/** How the mail is shown. The text part is always beside it or below it. */
interface GalleryView {
  readonly items: readonly GalleryItem[]
  readonly opened: GalleryItem
  /** A phone shows either the list or the chosen mail. */
  readonly wasChosen: boolean
  readonly width: keyof typeof widths
  readonly scheme: (typeof schemes)[number]
}

/** The list of every mail and text, and the opened one at one width and in one color scheme. */
export function renderMailGallery(view: GalleryView): string {
  const { opened, wasChosen } = view
  return renderPage({
    title: `${opened.subject ?? titleOf(opened)} (sandbox mail gallery)`,
    kind: 'inbox',
    script: '/assets/mail-gallery.js',
    children: (
      <>
        <header className="inbox-bar">
          <h1>
            <LogoMark />
            Mail gallery
          </h1>
          <BackLink href="/inbox" text="Inbox" />
        </header>
        <main className={wasChosen ? 'inbox gallery inbox-reading' : 'inbox gallery'}>
          <List {...view} />
          <section className="inbox-mail" aria-label="Opened sample">
            <Opened {...view} />
          </section>
        </main>
      </>
    ),
  })
}

function List(view: GalleryView) {
  return (
    <nav className="inbox-list" aria-label="Mails and texts">
      <ul>
        {view.items.map((item) => (
          <li key={item.id}>
            <a
              href={urlOf(view, { opened: item })}
              aria-current={item.id === view.opened.id ? 'true' : undefined}
            >
              <span className="inbox-to">{titleOf(item)}</span>
              <span className="inbox-subject">{item.subject ?? 'Text message'}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Opened(view: GalleryView) {
  const { opened: item, width, scheme } = view
  return (
    <article>
      <div className="inbox-return">
        <BackLink href="/mail-gallery" text="All mails" />
      </div>
      <Steps {...view} />
      <header>
        <h2>{item.subject ?? titleOf(item)}</h2>
        {item.html !== null && (
          <div className="gallery-switches">
            <Switch
              label="Width"
              choices={[
                ['Phone', urlOf(view, { width: 'phone' }), width === 'phone'],
                ['Desktop', urlOf(view, { width: 'desktop' }), width === 'desktop'],
              ]}
            />
            <Switch
              label="Color scheme"
              choices={[
                ['Light', urlOf(view, { scheme: 'light' }), scheme === 'light'],
                ['Dark', urlOf(view, { scheme: 'dark' }), scheme === 'dark'],
              ]}
            />
          </div>
        )}
      </header>
      {item.html === null ? (
        <>
          <Bubble text={item.text} />
          <p className="gallery-note">{item.text.length} characters</p>
        </>
      ) : (
        <div className="gallery-parts">
          <iframe
            title={`${titleOf(item)}, ${widths[width]} px, ${scheme}`}
            src={`/mail-gallery/${item.id}/${scheme}`}
            sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            width={widths[width]}
            height={900}
          />
          <div>
            <p className="label">Text part</p>
            <pre className="inbox-text">{item.text}</pre>
          </div>
        </div>
      )}
    </article>
  )
}

/** The script follows these links with the arrow keys. */
function Steps(view: GalleryView) {
  const { items, opened } = view
  const index = items.findIndex(({ id }) => id === opened.id)
  const [previous, next] = [items[index - 1], items[index + 1]]
  return (
    <nav className="gallery-steps" aria-label="Previous and next">
      {previous && (
        <a rel="prev" href={urlOf(view, { opened: previous })}>
          Previous
        </a>
      )}
      <span>
        {index + 1} of {items.length}
      </span>
      {next && (
        <a rel="next" href={urlOf(view, { opened: next })}>
          Next
        </a>
      )}
    </nav>
  )
}

function Switch({
  label,
  choices,
}: {
  readonly label: string
  readonly choices: readonly (readonly [text: string, href: string, isCurrent: boolean])[]
}) {
  return (
    <p className="inbox-forms" role="group" aria-label={label}>
      {choices.map(([text, href, isCurrent]) => (
        <a key={text} href={href} aria-current={isCurrent ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </p>
  )
}

function urlOf(view: GalleryView, changes: Partial<GalleryView>): string {
  const { opened, width, scheme } = { ...view, ...changes }
  return `/mail-gallery?${new URLSearchParams({ sample: opened.id, width, scheme }).toString()}`
}

/** 'Payment failed day 3' of 'payment-failed-day-3'. */
function titleOf({ id }: GalleryItem): string {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
