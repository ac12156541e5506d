//! Requires ∩ granted, and what is missing.

use crate::present::clean;

use super::{Access, Clocks, DirGrant, Grants, HttpHost, NotAHost, Requires, Secret};

/// What a component's calls may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effective {
    pub(crate) http: Vec<HttpHost>,
    /// What the operator granted, whether it is required or not: only an address that is in it
    /// may be a private one.
    pub(crate) granted_http: Vec<HttpHost>,
    pub(crate) dirs: Vec<DirGrant>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) secrets: Vec<Secret>,
    pub(crate) clocks: Clocks,
    pub(crate) random: bool,
}

/// Something that a component needs and was not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// It speaks HTTP and says to whom, or does not.
    Http(Option<HttpHost>),
    Dir(String, Access),
    Env(String),
    Secret(String),
    /// Random numbers that nobody can foresee.
    Random,
    /// It imports an interface that the host does not have; no grant helps.
    Import(String),
    /// It was approved without this, which is granted now.
    Approval(String),
}

impl Effective {
    /// What of `grants` a component gets that `requires` this; none: it does not say what it
    /// requires, and gets what is granted. `speaks_http`: it imports `wasi:http`.
    ///
    /// # Errors
    /// When it requires an HTTP host that is none; its text is returned.
    pub(crate) fn of(
        requires: Option<&Requires>,
        grants: &Grants,
        speaks_http: bool,
    ) -> Result<(Self, Vec<Lack>), (String, NotAHost)> {
        let mut lacks = Vec::new();
        let mut effective = Self {
            granted_http: grants.http.clone(),
            clocks: grants.clocks,
            random: grants.random,
            ..Self::default()
        };
        if speaks_http && requires.is_none_or(|requires| requires.http.is_empty()) {
            effective.http.clone_from(&grants.http);
            if grants.http.is_empty() {
                lacks.push(Lack::Http(None));
            }
        }
        let Some(requires) = requires else {
            effective.dirs.clone_from(&grants.dirs);
            effective.env.clone_from(&grants.env);
            effective.secrets.clone_from(&grants.secrets);
            return Ok((effective, lacks));
        };
        for text in &requires.http {
            let needed: HttpHost = text.parse().map_err(|error| (text.clone(), error))?;
            if grants.http.iter().any(|granted| granted.covers(&needed)) {
                effective.http.push(needed);
                continue;
            }
            let narrower = grants.http.iter().filter(|granted| needed.wants(granted));
            let before = effective.http.len();
            effective.http.extend(narrower.cloned());
            if effective.http.len() == before {
                lacks.push(Lack::Http(Some(needed)));
            }
        }
        for need in &requires.directories {
            match grants.dirs.iter().find(|granted| granted.guest == need.path) {
                Some(granted) if granted.access >= need.access => {
                    effective.dirs.push(DirGrant { access: need.access, ..granted.clone() });
                }
                Some(_) | None => lacks.push(Lack::Dir(need.path.clone(), need.access)),
            }
        }
        for name in &requires.environment {
            match grants.env.iter().find(|(granted, _)| granted == name) {
                Some(granted) => effective.env.push(granted.clone()),
                None => lacks.push(Lack::Env(name.clone())),
            }
        }
        for name in &requires.secrets {
            match grants.secrets.iter().find(|granted| granted.name == *name) {
                Some(granted) => effective.secrets.push(granted.clone()),
                None => lacks.push(Lack::Secret(name.clone())),
            }
        }
        Ok((effective, lacks))
    }

    /// Whether a connection to `address` is granted although it is no public one.
    pub(crate) fn may_reach_address(&self, address: std::net::IpAddr, port: u16) -> bool {
        self.granted_http.iter().any(|granted| granted.is_address(address, port))
    }

    /// Whether a request to `host` is granted.
    pub(crate) fn may_reach(&self, host: &HttpHost) -> bool {
        self.http.iter().any(|granted| granted.covers(host))
    }

    /// Whether anything of the host can be changed through it.
    pub(crate) fn writes(&self) -> bool {
        self.dirs.iter().any(|dir| dir.access == Access::ReadWrite)
    }
}

impl Lack {
    /// What is missing, and the line to add for `component`.
    pub(crate) fn sentence(&self, component: &str) -> String {
        let what = self.what();
        match self.line() {
            Some(line) => format!(
                "{what}, which it was not granted; add `{line}` under \
                 `[components.{component}.grants]` in portcullis.toml"
            ),
            None if matches!(self, Self::Approval(_)) => format!(
                "{what}, which is granted and not approved; `portcullis approve` shows and \
                 approves it"
            ),
            None => format!("{what}, which this host does not have"),
        }
    }

    /// What is missing, on its own.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::Http(Some(host)) => format!("http to `{host}`"),
            Self::Http(None) => "http".to_owned(),
            Self::Dir(path, Access::ReadOnly) => format!("directory `{path}` to read"),
            Self::Dir(path, Access::ReadWrite) => format!("directory `{path}` to write"),
            Self::Env(name) => format!("environment variable `{name}`"),
            Self::Secret(name) => format!("secret `{name}`"),
            Self::Random => "random numbers".to_owned(),
            Self::Import(name) => format!("import `{name}`"),
            Self::Approval(what) => what.clone(),
        }
    }

    /// The same for a file or a terminal: on one line, bounded and clean, whoever wrote the name.
    pub(crate) fn told(&self) -> String {
        /// The longest one, in bytes.
        const BYTES_MAX: usize = 300;
        clean::bounded(&self.what().replace('\n', " "), BYTES_MAX)
    }

    /// The line of a config that grants it.
    fn line(&self) -> Option<String> {
        Some(match self {
            Self::Http(Some(host)) => format!("http = [\"{host}\"]"),
            Self::Http(None) => "http = [\"HOST:PORT\"]".to_owned(),
            Self::Dir(path, access) => {
                let access = match access {
                    Access::ReadOnly => "ro",
                    Access::ReadWrite => "rw",
                };
                format!("dirs = [{{ host = \"DIR\", guest = {path:?}, access = \"{access}\" }}]")
            }
            Self::Env(name) => format!("env.{name} = \"VALUE\""),
            Self::Secret(name) => format!("secrets.{name}.env = \"VARIABLE\""),
            Self::Random => "random = true".to_owned(),
            Self::Import(_) | Self::Approval(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grants::RequiredDir;

    fn hosts(texts: &[&str]) -> Vec<HttpHost> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn of(requires: Option<&Requires>, grants: &Grants) -> (Effective, Vec<Lack>) {
        Effective::of(requires, grants, true).unwrap()
    }

    #[test]
    fn what_is_reached_is_both_required_and_granted() {
        type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str], usize);
        let cases: [Case<'_>; 7] = [
            (&["a.example:443"], &["a.example:443"], &["a.example:443"], 0),
            (&["a.example:443"], &["*.example:443"], &["a.example:443"], 0),
            (
                &["*:443"],
                &["a.example:443", "b.example:443"],
                &["a.example:443", "b.example:443"],
                0,
            ),
            (&["*:443"], &["10.0.0.5:443"], &["10.0.0.5:443"], 0),
            (&["10.0.0.5:443"], &["*:443"], &[], 1),
            (&["a.example:443", "b.example:443"], &["b.example:443"], &["b.example:443"], 1),
            (&["a.example:443"], &["a.example:80"], &[], 1),
        ];
        for (required, granted, reached, lacking) in cases {
            let requires = Requires {
                http: required.iter().map(|&host| host.to_owned()).collect(),
                ..Requires::default()
            };
            let grants = Grants { http: hosts(granted), ..Grants::default() };
            let (effective, lacks) = of(Some(&requires), &grants);
            assert_eq!(effective.http, hosts(reached), "{required:?} {granted:?}");
            assert_eq!(lacks.len(), lacking, "{required:?} {granted:?}");
        }
    }

    #[test]
    fn a_directory_is_not_written_to_unless_both_say_so() {
        use Access::{ReadOnly, ReadWrite};
        let cases = [
            (ReadOnly, ReadOnly, Some(ReadOnly)),
            (ReadOnly, ReadWrite, Some(ReadOnly)),
            (ReadWrite, ReadOnly, None),
            (ReadWrite, ReadWrite, Some(ReadWrite)),
        ];
        for (required, granted, reached) in cases {
            let requires = Requires {
                directories: vec![RequiredDir { path: "/data".to_owned(), access: required }],
                ..Requires::default()
            };
            let dirs = vec![DirGrant {
                host: "data".into(),
                guest: "/data".to_owned(),
                access: granted,
                quota_bytes_max: 0,
            }];
            let (effective, lacks) = of(Some(&requires), &Grants { dirs, ..Grants::default() });
            let access = effective.dirs.first().map(|dir| dir.access);
            assert_eq!(access, reached, "{required:?} {granted:?}");
            assert_eq!(lacks.contains(&Lack::Dir("/data".to_owned(), required)), reached.is_none());
        }
    }

    #[test]
    fn who_does_not_say_what_it_requires_gets_what_is_granted_and_no_more() {
        let grants = Grants { env: vec![("TZ".to_owned(), "UTC".to_owned())], ..Grants::default() };
        let (effective, lacks) = of(None, &grants);
        assert_eq!(effective.env, grants.env);
        assert_eq!(lacks, [Lack::Http(None)]);
        let (effective, _) = of(Some(&Requires::default()), &grants);
        assert_eq!(effective.env, []);
    }

    #[test]
    fn what_is_lacking_is_told_with_the_line_to_add() {
        let lack = Lack::Http(Some("a.example:443".parse().unwrap()));
        assert_eq!(
            lack.sentence("fetcher"),
            "http to `a.example:443`, which it was not granted; add `http = [\"a.example:443\"]` \
             under `[components.fetcher.grants]` in portcullis.toml"
        );
    }
}
