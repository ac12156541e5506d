//! The signatures of JWTs, checked by ring.
//!
//! What is signed with a shared secret is not among them: nobody shares one with this server.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};
use ring::signature as of;
use signature::Verifier;

/// What jsonwebtoken checks signatures with.
pub(super) static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// How the signatures of an algorithm are checked.
#[derive(Clone, Copy)]
enum How {
    Rsa(&'static of::RsaParameters),
    Curve(&'static dyn of::VerificationAlgorithm),
}

struct Checked {
    algorithm: Algorithm,
    how: How,
    key: DecodingKey,
}

fn how(algorithm: Algorithm) -> Option<How> {
    Some(match algorithm {
        Algorithm::RS256 => How::Rsa(&of::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => How::Rsa(&of::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => How::Rsa(&of::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => How::Rsa(&of::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => How::Rsa(&of::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => How::Rsa(&of::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => How::Curve(&of::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => How::Curve(&of::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => How::Curve(&of::ED25519),
        // Shared secrets, and whatever is not known yet.
        _ => return None,
    })
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let wrong = |kind: ErrorKind| Error::from(kind);
    let how = how(*algorithm).ok_or_else(|| wrong(ErrorKind::InvalidAlgorithm))?;
    // A key is used for nothing but what it is of.
    let fits = match key.family() {
        AlgorithmFamily::Rsa => matches!(how, How::Rsa(_)),
        AlgorithmFamily::Ec => matches!(algorithm, Algorithm::ES256 | Algorithm::ES384),
        AlgorithmFamily::Ed => matches!(algorithm, Algorithm::EdDSA),
        AlgorithmFamily::Hmac => false,
    };
    if !fits {
        return Err(wrong(ErrorKind::InvalidKeyFormat));
    }
    Ok(Box::new(Checked { algorithm: *algorithm, how, key: key.clone() }))
}

impl Verifier<Vec<u8>> for Checked {
    fn verify(&self, message: &[u8], signed: &Vec<u8>) -> Result<(), signature::Error> {
        let checked = match (self.how, self.key.kind()) {
            (How::Rsa(how), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                of::RsaPublicKeyComponents { n, e }.verify(how, message, signed)
            }
            (How::Rsa(how), DecodingKeyKind::SecretOrDer(key)) => {
                of::UnparsedPublicKey::new(how, key).verify(message, signed)
            }
            (How::Curve(how), DecodingKeyKind::SecretOrDer(key)) => {
                of::UnparsedPublicKey::new(how, key).verify(message, signed)
            }
            (How::Curve(_), DecodingKeyKind::RsaModulusExponent { .. }) => {
                Err(ring::error::Unspecified)
            }
        };
        checked.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Checked {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
