/** What we use of the DOM, inside of functions that run in the page; the project is compiled without the DOM's types. */
export interface PageElement {
  readonly textContent: string;
  readonly innerText: string;
  readonly className: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
