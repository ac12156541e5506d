"""Requests as they go to the host, and answers as they come from there."""

import unittest

from portcullis import InvalidArguments, ToolError, http


class Http(unittest.TestCase):
    def setUp(self) -> None:
        self.sent: list[http.Request] = []
        self.addCleanup(http.answer_with, http._exchange)

    def answered(self, body: bytes = b"", status: int = 200, kind: str = "text/plain") -> None:
        def exchange(request: http.Request) -> http.Response:
            self.sent.append(request)
            headers = http.Headers([("Content-Type", kind.encode()), ("A", b"1"), ("a", b"2")])
            return http.Response(status, headers, body)

        http.answer_with(exchange)

    def test_a_url_is_taken_apart(self) -> None:
        self.answered()
        for url, scheme, authority, path in (
            ("http://a.example", "http", "a.example", "/"),
            ("HTTPS://A.example:8443?x=1#part", "https", "a.example:8443", "/?x=1"),
            ("https://a.example/b c/é?q=ü%20", "https", "a.example", "/b%20c/%C3%A9?q=%C3%BC%20"),
            ("http://[::1]:80/x", "http", "[::1]:80", "/x"),
        ):
            http.get(url)
            sent = self.sent.pop()
            self.assertEqual(
                (sent.scheme, sent.authority, sent.path_with_query), (scheme, authority, path)
            )

    def test_what_is_no_url_is_refused(self) -> None:
        self.answered()
        for url in ("", "/a", "ftp://a.example", "http://", "http://u@a.example", "http:// a"):
            with self.assertRaises(InvalidArguments, msg=url):
                http.get(url)
        self.assertEqual(self.sent, [])

    def test_parameters_and_values_are_written(self) -> None:
        self.answered()
        http.post(
            "http://a/?a=1", params={"b": ["x y", 2]}, json={"é": [1, None]}, headers={"X": "y"}
        )
        (sent,) = self.sent
        self.assertEqual((sent.method, sent.path_with_query), ("POST", "/?a=1&b=x+y&b=2"))
        self.assertEqual(sent.body, '{"é": [1, null]}'.encode())
        self.assertEqual(dict(sent.headers), {"x": b"y", "content-type": b"application/json"})

    def test_an_answer_is_read(self) -> None:
        self.answered(
            '{"city": "Zürich"}'.encode("latin-1"), kind="application/json; charset=latin-1"
        )
        answer = http.get("http://a")
        self.assertTrue(answer.ok)
        self.assertEqual(answer.text(), '{"city": "Zürich"}')
        self.assertEqual((answer.headers["A"], answer.headers.get("b")), ("1, 2", None))
        self.answered(b'{"a": [1.5]}', status=404)
        answer = http.get("http://a")
        self.assertEqual((answer.ok, answer.json()), (False, {"a": [1.5]}))

    def test_a_body_that_is_no_json_is_told(self) -> None:
        self.answered(b"<html>")
        with self.assertRaises(ToolError):
            http.get("http://a").json()

    def test_outside_of_a_component_there_is_no_answer(self) -> None:
        http.answer_with(http._nowhere)
        with self.assertRaisesRegex(http.HttpError, "outside of a component"):
            http.get("http://a")


if __name__ == "__main__":
    unittest.main()
