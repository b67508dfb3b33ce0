import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { Logo } from '../ui/logo.tsx'
import './public-footer.css'

const thisYear = new Date().getFullYear()

export function PublicFooter() {
  return (
    <footer className="public-footer">
      <div>
        <Logo />
        <nav aria-label="Footer">
          <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
          <a href={brand.social.url}>{brand.social.label}</a>
          <Link to="/privacy-policy">Privacy Policy</Link>
        </nav>
        {/* The build may have prerendered this line in the year before. */}
        <p suppressHydrationWarning>
          © {thisYear} {brand.name}. All rights reserved.
        </p>
      </div>
    </footer>
  )
}
