/// The icon of the travel log in SVG: a route with its first and last stop.
package enum PageIcon {
    package static let mediaType = "image/svg+xml"
    package static let content = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b62b8"/>\
        <path d="M9 23c0-9 14-5 14-14" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>\
        <circle cx="9" cy="23" r="4" fill="#fff"/><circle cx="23" cy="9" r="4" fill="#fff"/></svg>
        """
}
