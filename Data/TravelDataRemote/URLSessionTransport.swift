#if !canImport(CCurl)
import Foundation
import Synchronization

/// Sends requests, each as a task of a `URLSession` whose delegate receives the answer.
///
/// Requests that wait for events have a session of their own, because each of them occupies a connection.
final class HTTPTransport: Sendable {
    private let reads: URLSession
    private let writes: URLSession
    private let streams: URLSession
    private let router = Router()

    init(timeout: TimeInterval) {
        func session(_ connections: Int, _ router: Router) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            configuration.httpMaximumConnectionsPerHost = connections
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return URLSession(configuration: configuration, delegate: router, delegateQueue: queue)
        }
        reads = session(6, router)
        writes = session(6, router)
        streams = session(1_000, router)
    }

    /// Cancels all requests. A session retains its delegate, and its threads, until then.
    func stop() {
        for session in [reads, writes, streams] { session.invalidateAndCancel() }
    }

    /// Sends a request, which fails when nothing of it or of its answer arrives in the timeout in seconds.
    func start(_ message: HTTPMessage, _ kind: HTTPMessage.Kind, _ timeout: TimeInterval, _ exchange: Exchange) {
        var request = URLRequest(url: message.url, timeoutInterval: timeout)
        request.httpMethod = message.method
        request.httpShouldHandleCookies = false
        request.httpBody = message.body
        for (name, value) in message.headers { request.setValue(value, forHTTPHeaderField: name) }
        let session =
            switch kind {
            case .read: reads
            case .write: writes
            case .stream: streams
            }
        let task = session.dataTask(with: request)
        router.add(exchange, for: task)
        guard exchange.attach({ task.cancel() }) else {
            router.remove(task)
            return task.cancel()
        }
        task.resume()
    }
}

/// Passes the callbacks of tasks on to their exchanges.
private final class Router: NSObject, URLSessionDataDelegate {
    /// The tasks, by their identity: their numbers are unique only in one session.
    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        _ = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[ObjectIdentifier(task)] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            let fields = response.allHeaderFields.compactMap { field in
                (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
            }
            exchange(of: dataTask)?.receive(status: response.statusCode, HTTPHeaders(fields))
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.setSent(Int(totalBytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchange(of: task)
        remove(task)
        exchange?.complete(error)
    }
}
#endif
