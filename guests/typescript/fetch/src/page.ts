/** What is to be read of a page. */
import { ToolError } from "@portcullis/guest";
import { NodeHtmlMarkdown } from "node-html-markdown";

export interface Page {
  readonly title: string | null;
  readonly markdown: string;
}

const converter = new NodeHtmlMarkdown({
  ignore: ["script", "style", "noscript", "svg", "nav", "template", "iframe"],
});

export function read(contentType: string, body: string): Page {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type === "application/xhtml+xml") {
    return { title: titleOf(body), markdown: converter.translate(content(body)).trim() };
  }
  if (type.startsWith("text/") || type === "application/json") return { title: null, markdown: body };
  throw new ToolError(`the page is ${type}, which is not text`);
}

function titleOf(html: string): string | null {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1];
  return title === undefined ? null : converter.translate(title).trim();
}

/** The page's own marked part, where it has one. */
function content(html: string): string {
  const main = /<(main|article)\b[^>]*>[\s\S]*<\/\1>/i.exec(html)?.[0];
  return main ?? html.replace(/<head\b[\s\S]*?<\/head>/i, "");
}
