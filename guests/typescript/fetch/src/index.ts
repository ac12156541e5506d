/** Web pages as Markdown, from the hosts that an operator grants. */
import { ToolError, tool } from "@portcullis/guest";
import { request, type Response } from "@portcullis/guest/http";

import { read } from "./page.js";
import { resolved } from "./url.js";

const REDIRECTS_MAX = 5;

tool("fetch_page", {
  title: "Fetch a page",
  description:
    "Fetches a web page and gives its text as Markdown. Long pages come in parts: pass the `next_start` of one part " +
    "as the `start` of the next.",
  input: {
    type: "object",
    properties: {
      url: { type: "string", description: "An absolute http or https URL." },
      start: { type: "integer", minimum: 0, default: 0, description: "The character to begin at." },
      length: {
        type: "integer",
        minimum: 1,
        maximum: 100000,
        default: 20000,
        description: "How many characters.",
      },
    },
    required: ["url"],
  },
  output: {
    title: "Page",
    type: "object",
    properties: {
      url: { type: "string", description: "Where the page was, after redirects." },
      title: { type: ["string", "null"] },
      markdown: { type: "string", description: "The part of the page that was asked for." },
      next_start: { type: ["integer", "null"], description: "Where the next part begins; null at the end." },
    },
    required: ["url", "title", "markdown", "next_start"],
  },
  hints: { readOnly: true, idempotent: true, openWorld: true },
  run({ url, start, length }) {
    const { response, at } = follow(url);
    if (!response.ok) throw new ToolError(`${at} answered with status ${response.status}`);
    const { title, markdown } = read(response.header("content-type") ?? "text/html", response.text());
    const end = start + length;
    return {
      url: at,
      title,
      markdown: markdown.slice(start, end),
      next_start: end < markdown.length ? end : null,
    };
  },
});

/** The answer at the end of all redirects. */
function follow(url: string): { response: Response; at: string } {
  let at = url;
  for (let count = 0; count <= REDIRECTS_MAX; count += 1) {
    const response = request(at, { headers: { accept: "text/html, text/markdown, text/plain;q=0.9" } });
    const location = response.header("location");
    if (response.status < 300 || response.status >= 400 || location === undefined) return { response, at };
    at = resolved(location, at);
  }
  throw new ToolError(`${url} leads through more than ${REDIRECTS_MAX} redirects`);
}
