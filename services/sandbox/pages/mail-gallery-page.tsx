import type { GalleryItem } from './mail-gallery.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

export const schemes = ['light', 'dark'] as const
/** The widths of a phone and of a mail program's pane, in px. */
const widths = [390, 720] as const

/** Every mail and text, and the opened one at each width, light and dark, and as text. */
export function renderMailGallery(items: readonly GalleryItem[], opened: GalleryItem): string {
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
        <main className="inbox gallery">
          <List items={items} opened={opened} />
          <section className="inbox-mail" aria-label="Opened sample">
            <Opened item={opened} />
          </section>
        </main>
      </>
    ),
  })
}

function List({
  items,
  opened,
}: {
  readonly items: readonly GalleryItem[]
  readonly opened: GalleryItem
}) {
  return (
    <nav className="inbox-list" aria-label="Mails and texts">
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <a
              href={`/mail-gallery?sample=${item.id}`}
              aria-current={item.id === opened.id ? 'true' : undefined}
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

function Opened({ item }: { readonly item: GalleryItem }) {
  return (
    <article>
      <header>
        <h2>{item.subject ?? titleOf(item)}</h2>
      </header>
      {item.html !== null &&
        widths.map((width) => (
          <div key={width} className="gallery-row">
            {schemes.map((scheme) => (
              <figure key={scheme}>
                <figcaption className="label">
                  {width} px, {scheme}
                </figcaption>
                <iframe
                  title={`${titleOf(item)}, ${width} px, ${scheme}`}
                  src={`/mail-gallery/${item.id}/${scheme}`}
                  sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
                  width={width}
                  height={900}
                />
              </figure>
            ))}
          </div>
        ))}
      <p className="label gallery-text">
        {item.html === null ? `Text, ${item.text.length} characters` : 'Text part'}
      </p>
      <pre className="inbox-text">{item.text}</pre>
    </article>
  )
}

/** 'Payment failed day 3' of 'payment-failed-day-3'. */
function titleOf({ id }: GalleryItem): string {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
